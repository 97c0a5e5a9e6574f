"""Makes the first use of each term of the specification in a page of the help a link to the glossary."""

import re

_TERMS = {
    "batch": "batch(?:es)?",
    "collection": "collections?",
    "dataset": "datasets?",
    "export": "exports?",
    "import": "imports?",
    "instruction": "instructions?",
    "migration": "migrations?",
    "participant": "participants?",
    "record": "records?|datapoints?",
    "response": "responses?",
    "schema": "schemas?",
    "setup": "setups?",
    "submission": "submissions?",
    "sync": "syncs?",
    "task": "tasks?",
    "task-group": "task groups?",
}
"""What each term looks like in a text, by its anchor in the glossary."""

_MEANS_ANOTHER = {
    "import": r"\bexport and import\b",
    "instruction": r"\binstructions? (?:is|are) understood|for instructions\b",
    "task": r"\btask (?:details|groups?)\b",
    "dataset": r"\bdataset fields?\b",
}
"""Where a word is no term, or part of another one."""

_SKIPPED = re.compile(
    r"```.*?```|`[^`]*`|^#.*?$|!?\[[^\]]*\]\([^)]*\)|\*\*?[^*]+\*\*?|^\|.*?$|<[^>]*>|https?://\S+|\w+\.\w+",
    re.DOTALL | re.MULTILINE,
)
"""What has no links in it: code, headings, links, labels, tables, addresses."""
_WITHOUT_LINKS = {"index.md", "glossary.md", "messages.md", "rules.md", "shortcuts.md"}
"""Pages in which terms are explained, or which quote texts of the program."""


def with_glossary_links(name: str, page: str) -> str:
    """The text of a page with links; one that has them already stays as it is."""
    if name in _WITHOUT_LINKS:
        return page
    for anchor, pattern in _TERMS.items():
        if f"glossary.md#{anchor})" not in page:
            page = _linked(page, anchor, pattern)
    return page


def _linked(page: str, anchor: str, pattern: str) -> str:
    """The page with the first use of a term as a link."""
    skipped = [found.span() for found in _SKIPPED.finditer(page)]
    if anchor in _MEANS_ANOTHER:
        skipped += [found.span() for found in re.finditer(_MEANS_ANOTHER[anchor], page, re.IGNORECASE)]
    for found in re.finditer(rf"\b(?:{pattern})\b(?![-/])", page, re.IGNORECASE):
        if not any(start <= found.start() < end for start, end in skipped):
            link = f"[{found[0]}](glossary.md#{anchor})"
            return page[: found.start()] + link + page[found.end() :]
    return page
