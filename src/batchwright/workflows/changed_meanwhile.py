"""The error raised instead of overwriting what another person has changed at the service meanwhile."""


class ChangedMeanwhile(Exception):
    """A resource changed at the service after the user opened it; nothing was sent. The text names it."""
