"""What holds for all tests."""

from hypothesis import HealthCheck, settings

# Nothing here measures time: a busy machine must not make a rule look broken.
settings.register_profile("inspector", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("inspector")
