"""The nouns of the project: records, messages, states, policies, findings. No I/O, no rules."""
