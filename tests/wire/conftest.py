"""Property tests take the time they need: how long an example runs is asserted nowhere."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
