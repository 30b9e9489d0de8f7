"""What holds for all tests."""

import os

from hypothesis import HealthCheck, settings

# Nothing here measures time: a busy machine must not make a rule look broken. The ordinary run tries
# the same examples each time, so that it says something about the change and not about chance;
# HYPOTHESIS_PROFILE=search tries new ones.
_SLOW = [HealthCheck.too_slow]
settings.register_profile("inspector", deadline=None, suppress_health_check=_SLOW, derandomize=True)
settings.register_profile("search", deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "inspector"))
