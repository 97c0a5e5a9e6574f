"""The parts of Excel files, which are ZIP archives, and the attributes of their XML."""

import re
import zipfile
from html import unescape

_ATTRIBUTE = re.compile(r"([\w:]+)=\"([^\"]*)\"")
_RELATION = re.compile(r"<Relationship\s[^>]*>")


def attributes(tag: str) -> dict[str, str]:
    """The attributes of an XML tag."""
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(tag)}


def part_text(archive: zipfile.ZipFile, part: str) -> str:
    """The text of a part."""
    return archive.read(part).decode(errors="replace")


def related_parts(archive: zipfile.ZipFile, relations: str) -> dict[str, str]:
    """The names of the parts that a workbook refers to, by the ids in this part with its relations."""
    tags = map(attributes, _RELATION.findall(part_text(archive, relations)))
    targets = {tag.get("Id", ""): tag.get("Target", "") for tag in tags}
    return {id: target[1:] if target.startswith("/") else f"xl/{target}" for id, target in targets.items()}
