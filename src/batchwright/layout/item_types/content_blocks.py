"""Content blocks: the parts of a page that are not questions.

Content that cannot be shown is replaced by a notice.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class ContentBlock:
    """A content block; `template` names its file in `resources/participant/item_types`."""

    template: ClassVar[str]
    is_question: ClassVar[bool] = False


@dataclass(frozen=True)
class ImageBlock(ContentBlock):
    """An image from an https URL."""

    template = "image"
    label: str
    url: str
    alt: str
    caption: str = ""


@dataclass(frozen=True)
class NoticeBlock(ContentBlock):
    """A notice in place of content that cannot be shown."""

    template = "notice"
    label: str
    text: str
    locked: bool = False


def has_scheme(url: str, scheme: str) -> bool:
    """Whether a URL begins with a scheme, such as `https`."""
    return url[: len(scheme) + 3].lower() == f"{scheme}://"
