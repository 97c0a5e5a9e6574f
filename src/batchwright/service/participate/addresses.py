"""The addresses of participant pages, below the service's base address."""

import hashlib
from functools import cache
from urllib.parse import quote, urlencode, urlsplit

from batchwright.base.resources import resource, sample_medium

ASSETS = {
    "style": ("participant.css", "text/css; charset=utf-8"),
    "script": ("participant.js", "text/javascript; charset=utf-8"),
    "icon": ("icon.svg", "image/svg+xml"),
}
"""What pages load from the service: file name and content type, by the name templates use."""


class Addresses:
    """Paths as a browser asks for them; a base address may have a path of its own, behind a proxy."""

    def __init__(self, base_url: str) -> None:
        self.root = urlsplit(base_url).path.rstrip("/") + "/participate"

    def study(self, batch: str, key: str, participant: str | None = None) -> str:
        """The link that participants open."""
        query = {"key": key} | ({"participant": participant} if participant else {})
        return f"{self.root}/{quote(batch, safe='')}?{urlencode(query)}"

    def start(self, batch: str) -> str:
        """Where the start form goes."""
        return f"{self.root}/{quote(batch, safe='')}/start"

    def submission(self, batch: str, submission: str, step: int | None = None) -> str:
        """A participant's own page, at the page reached or at an earlier step."""
        path = f"{self.root}/{quote(batch, safe='')}/{submission}"
        return path if step is None else f"{path}?step={step}"

    def preview(self, preview: str) -> str:
        """One page shown for an hour."""
        return f"{self.root}/preview/{preview}"

    def medium(self, address: str) -> str:
        """Where a page loads a picture or recording from; those of the templates come from the service."""
        sample = sample_medium(address)
        return address if sample is None else f"{self.root}/samples/{sample}"

    def assets(self) -> dict[str, str]:
        """What the templates load, each named with a mark of its content: browsers may keep it for good."""
        return {name: f"{self.root}/assets/{file}?v={_mark(file)}" for name, (file, _type) in ASSETS.items()}


@cache
def _mark(file: str) -> str:
    return hashlib.sha256(resource("participant", file).read_bytes()).hexdigest()[:12]
