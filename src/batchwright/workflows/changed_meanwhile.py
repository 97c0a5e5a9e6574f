"""What others changed at the service while a person decided on a change is not overwritten."""


class ChangedMeanwhile(Exception):
    """Something is not what it was when its change was decided on; nothing was sent. The text says what."""
