"""The fold of the pipeline over the requests of a session, and what can be asked of it."""
