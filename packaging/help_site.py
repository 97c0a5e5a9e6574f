"""Writes the pages of the help as a static site: a file for each page, its pictures, and a style sheet.

python packaging/help_site.py FOLDER

English is in the folder itself, each other language in a folder with its tag; pages that a language does not
have are in English. The site has no search, which would need a script and an index of its own in each
language: `contents.html` lists the headings of all pages, where browsers find them.
"""

import html
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

os.environ["BATCHWRIGHT_LANGUAGE"] = "en"  # that of the first pages

from babel import Locale

from batchwright.base.i18n import SOURCE_LANGUAGE, _, languages, use_language
from batchwright.help.pages import HelpPage, help_folder, help_pages

_LINK = re.compile(r'href="([a-z0-9-]+)\.md(?:#([^"]*))?"')
_PICTURE = re.compile(r'src="\.\./([^"]+)"')
_STYLE, _CONTENTS = "help.css", "contents"
_CSS = """\
:root { color-scheme: light dark; --text: #1f1f1c; --ground: #fcfcfa; --line: #d6d6d0; --link: #2f49c2; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e9e9e4; --ground: #17181b; --line: #3c3d42; --link: #9db0ff; }
}
body { margin: 0; color: var(--text); background: var(--ground); font: 1rem/1.55 system-ui, sans-serif; }
.page { display: grid; grid-template-columns: 16rem minmax(0, 46rem); gap: 3rem; padding: 1.5rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li { margin: 0.35rem 0; }
.languages { padding: 0.4rem 1.5rem; border-bottom: 1px solid var(--line); }
.languages ul { display: flex; flex-wrap: wrap; gap: 0 1.2rem; }
nav [aria-current] { font-weight: 600; color: inherit; text-decoration: none; }
a { color: var(--link); }
img { max-width: 100%; height: auto; border: 1px solid var(--line); }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.3rem 0.6rem; border: 1px solid var(--line); text-align: left; }
@media (max-width: 50rem) { .page { grid-template-columns: minmax(0, 1fr); } .page nav { order: 2; } }
@media print { nav { display: none; } }
"""


def main(folder: Path) -> None:
    """Write the site into a folder, which is created."""
    english = help_pages()
    tags = languages()
    for tag in tags:
        use_language(tag)
        pages, inside = help_pages(), folder / _place(tag)
        inside.mkdir(parents=True, exist_ok=True)
        for page in pages:
            text = _LINK.sub(partial(_linked, pages, tag), page.html)
            text = _PICTURE.sub(rf'src="{_root(tag)}\1"', text)
            of_text = SOURCE_LANGUAGE if page in english else tag
            body = f'<main lang="{of_text}">\n{text}\n</main>'
            _write(inside / f"{page.name}.html", _document(page.name, page.title, body, pages, tags, tag))
        body = "\n".join(_headings(pages, english, tag))
        _write(inside / f"{_CONTENTS}.html", _document(_CONTENTS, _("Contents"), body, pages, tags, tag))
    use_language(None)
    for picture in sorted({path for page in english for path in _PICTURE.findall(page.html)}):
        target = folder / picture
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(help_folder().parent / picture, target)
    (folder / _STYLE).write_text(_CSS, encoding="utf-8", newline="\n")


def _write(file: Path, lines: Iterator[str]) -> None:
    file.write_text("\n".join(lines), encoding="utf-8", newline="\n")


def _place(tag: str) -> str:
    """The folder of a language within the site."""
    return "" if tag == SOURCE_LANGUAGE else tag


def _root(tag: str) -> str:
    """The way from a page of a language to the folder of the site."""
    return "" if tag == SOURCE_LANGUAGE else "../"


def _linked(pages: Sequence[HelpPage], tag: str, link: re.Match[str]) -> str:
    """A link to a page of the same language, or to the English one if only that has the section."""
    name, anchor = link[1], link[2]
    sections = (section for page in pages if page.name == name for section in page.sections)
    has_section = not anchor or any(section.anchor == anchor for section in sections)
    where = f"{name}.html" if has_section else f"{_root(tag)}{name}.html"
    return f'href="{where}#{anchor}"' if anchor else f'href="{where}"'


def _headings(pages: Sequence[HelpPage], english: Sequence[HelpPage], tag: str) -> Iterator[str]:
    """Yield the list of all headings, as links."""
    yield f"<main>\n<h1>{html.escape(_('Contents'))}</h1>"
    for page in pages:
        yield f'<section lang="{SOURCE_LANGUAGE if page in english else tag}">'
        yield f'<h2><a href="{page.name}.html">{html.escape(page.title)}</a></h2>\n<ul>'
        for section in page.sections[1:]:
            yield f'<li><a href="{page.name}.html#{section.anchor}">{html.escape(section.title)}</a></li>'
        yield "</ul>\n</section>"
    yield "</main>"


def _document(
    name: str, title: str, body: str, pages: Sequence[HelpPage], tags: Sequence[str], tag: str
) -> Iterator[str]:
    """Yield the lines of a page."""
    whole, root = _("{page} – Batchwright help").format(page=title), _root(tag)
    yield f'<!doctype html>\n<html lang="{tag}">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{html.escape(whole)}</title>"
    yield f'<link rel="stylesheet" href="{root}{_STYLE}">\n</head>\n<body>'
    yield f'<nav class="languages" aria-label="{html.escape(_("Language"))}">\n<ul>'
    for other in tags:
        current = ' aria-current="true"' if other == tag else ""
        target = f"{root}{_place(other)}{'/' if _place(other) else ''}{name}.html"
        title_of = Locale.parse(other, sep="-").get_display_name()
        yield f'<li><a href="{target}" lang="{other}" hreflang="{other}"{current}>{title_of}</a></li>'
    yield f'</ul>\n</nav>\n<div class="page">\n<nav aria-label="{html.escape(_("Pages"))}">\n<ul>'
    names = {_CONTENTS: _("Contents"), **{page.name: page.title for page in pages}}
    for other, other_title in names.items():
        current = ' aria-current="page"' if other == name else ""
        yield f'<li><a href="{other}.html"{current}>{html.escape(other_title)}</a></li>'
    yield f"</ul>\n</nav>\n{body}\n</div>\n</body>\n</html>\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
