"""The stages as pure functions: no clock, files, environment or randomness, and no argument is changed."""
