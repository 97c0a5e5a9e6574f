"""Keeps the translation catalogues in `resources/locale` (needs Babel).

extract             write the template, `batchwright.pot`, from marked texts and the texts of study templates
update [LANGUAGE]   extract, then merge the template into every catalogue; LANGUAGE starts a new one
compile             write the binary files that the program reads, and check the catalogues; with --no-check,
                    only write those that are older than their sources

Only the sources of the catalogues are in the repository. The set-up (`start.py`), the wheel (`wheel_hook.py`)
and the built program (`batchwright.spec`) compile them.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

sys.path.insert(0, str(Path(__file__).resolve().parent))

from terms import FILE, deviations, read_terms

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "resources" / "locale"
TEMPLATE = LOCALE / "batchwright.pot"
_WITH_CONTEXT = ((1, "c"), 2)
KEYWORDS = {
    "_": None,
    "N_": None,
    "ngettext": (1, 2),
    "pgettext": _WITH_CONTEXT,
    "NC_": _WITH_CONTEXT,
}
SOURCES = (
    (ROOT / "src", [("**.py", "python")]),
    (ROOT / "resources" / "participant", [("**.html", "jinja2")]),
)


def extracted() -> Catalog:
    """Create a template of all texts, without line numbers, so that it changes only with the texts."""
    catalog = Catalog(
        header_comment="# Written by packaging/translations.py.", project="Batchwright", fuzzy=False
    )
    for folder, methods in SOURCES:
        messages = extract_from_dir(folder, methods, keywords=KEYWORDS, comment_tags=("Translators:",))
        for path, _line_number, message, comments, context in messages:
            location: list[Any] = [(f"{folder.name}/{path}", None)]  # Babel's types require a line number
            catalog.add(message, locations=location, auto_comments=comments, context=context)
    for folder, text in study_texts():
        source: list[Any] = [(folder.relative_to(ROOT).as_posix(), None)]
        catalog.add(text, locations=source)
    return catalog


def study_texts() -> Iterator[tuple[Path, str]]:
    """Yield the texts of the study templates with their folders."""
    sys.path.insert(0, str(ROOT / "src"))
    from batchwright.base.resources import resource
    from batchwright.local.study_files.study_folders import read_study_folder
    from batchwright.ui.study.templates import TEMPLATES, texts_of_study

    for folder in (resource(*template.folder) for template in TEMPLATES):
        yield from ((folder, text.text) for text in texts_of_study(read_study_folder(folder, "")).texts())


def extract() -> Catalog:
    catalog = extracted()
    LOCALE.mkdir(exist_ok=True)
    with TEMPLATE.open("wb") as file:
        write_po(file, catalog, sort_output=True, include_lineno=False, width=100)
    return catalog


def update(language: str | None) -> None:
    template = extract()
    if language is not None:
        source_file(language).parent.mkdir(parents=True, exist_ok=True)
    new = [] if language is None or source_file(language).exists() else [source_file(language)]
    for path in [*catalogues(), *new]:
        catalog = Catalog(locale=path.parent.parent.name) if path in new else read(path)
        catalog.update(template)
        with path.open("wb") as file:
            write_po(file, catalog, sort_output=True, include_lineno=False, include_previous=True, width=100)


def compile_changed() -> None:
    """Write the binary file of each catalogue that is newer than it, in one step: the program may run."""
    for path in catalogues():
        binary = path.with_suffix(".mo")
        if binary.exists() and binary.stat().st_mtime_ns >= path.stat().st_mtime_ns:
            continue
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            write_mo(file, read(path))
        Path(file.name).chmod(0o644)
        Path(file.name).replace(binary)


def faults() -> Iterator[str]:
    """Yield translations with other placeholders than the original, or without the terms of the language."""
    for path in catalogues():
        catalogue = read(path)
        for message in catalogue:
            if message.id and any(_forms(message)) and not _has_same_placeholders(message):
                yield f"{path}: the placeholders differ: {message.id!r}"
        terms = path.parent.parent / FILE
        if terms.exists():
            yield from (f"{path}: {deviation}" for deviation in deviations(catalogue, read_terms(terms)))


def missing() -> Iterator[str]:
    """Yield the texts without a translation, or with one that was only guessed."""
    template = extracted()
    for path in catalogues():
        catalogue = read(path)
        for message in filter(lambda message: message.id, template):
            known = catalogue.get(message.id, context=message.context)
            if known is None or known.fuzzy or not all(_forms(known)):
                yield f"{path}: there is no translation of {message.id!r}"


def _forms(message: Message) -> Sequence[str]:
    """The translation of a message in all its plural forms."""
    return [message.string] if isinstance(message.string, str) else message.string or [""]


def _has_same_placeholders(message: Message) -> bool:
    """Whether each form of a translation has those of its original: the last one is the plural."""
    originals = [message.id] if isinstance(message.id, str) else message.id
    wanted = [placeholders(original) for original in originals]
    *others, last = (placeholders(form) for form in _forms(message))
    return last == wanted[-1] and all(found in wanted for found in others)


def placeholders(text: str) -> set[str]:
    """The names in braces in a text."""
    return set(re.findall(r"\{(\w*)", text))


def is_source(path: Path) -> bool:
    """Whether the program does not read a file, because it is a source of the catalogues."""
    return path.suffix in {".po", ".pot"} or path.name == FILE


def source_file(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "batchwright.po"


def catalogues() -> list[Path]:
    return sorted(LOCALE.glob("*/LC_MESSAGES/batchwright.po"))


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("extract")
    commands.add_parser("update").add_argument("language", nargs="?")
    commands.add_parser("compile").add_argument("--no-check", action="store_true")
    options = parser.parse_args()
    found: list[str] = []
    if options.command == "extract":
        extract()
    elif options.command == "update":
        update(options.language)
    else:
        compile_changed()
        found = [] if options.no_check else [*faults(), *missing()]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
