"""Why an image cannot be shown. Apart from `load_image`, so that the window imports no HTTP client for it."""

from enum import Enum, auto


class ImageProblem(Enum):
    """Why an image is not shown."""

    NOT_HTTPS = auto()
    """Its address, or one that it redirects to, is not an https address."""
    PRIVATE = auto()
    """Its address, or one that it redirects to, is on this computer or in a private network."""
    NOT_FOUND = auto()
    NO_RESPONSE = auto()
    UNTRUSTED = auto()
    REFUSED = auto()
    """Its server responded with another error."""
    TOO_LARGE = auto()
    TOO_SLOW = auto()
    """Decoding it would take too long."""
    NOT_AN_IMAGE = auto()
    """It is damaged, of another format, or something else."""


class ImageUnavailable(Exception):
    """An image cannot be shown."""

    def __init__(self, problem: ImageProblem) -> None:
        super().__init__(problem.name)
        self.problem = problem
