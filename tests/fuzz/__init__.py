"""Coverage-guided fuzzing: `python -m tests.fuzz reading` wants atheris, which no test needs."""
