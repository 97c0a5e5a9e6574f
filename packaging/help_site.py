"""Writes the pages of the help as a static site: a file for each page, its pictures, and a style sheet.

python packaging/help_site.py FOLDER
"""

import html
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ["BATCHWRIGHT_LANGUAGE"] = "en"  # that of the pages

from batchwright.help.pages import INDEX, HelpPage, help_folder, help_pages

_LINK = re.compile(r'href="([a-z0-9-]+)\.md')
_PICTURE = re.compile(r'src="\.\./([^"]+)"')
_STYLE = "help.css"
_CSS = """\
:root { color-scheme: light dark; --text: #1f1f1c; --ground: #fcfcfa; --line: #d6d6d0; --link: #2f49c2; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e9e9e4; --ground: #17181b; --line: #3c3d42; --link: #9db0ff; }
}
body { margin: 0; color: var(--text); background: var(--ground); font: 1rem/1.55 system-ui, sans-serif; }
.page { display: grid; grid-template-columns: 16rem minmax(0, 46rem); gap: 3rem; padding: 1.5rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li { margin: 0.35rem 0; }
nav [aria-current] { font-weight: 600; color: inherit; text-decoration: none; }
a { color: var(--link); }
img { max-width: 100%; height: auto; border: 1px solid var(--line); }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.3rem 0.6rem; border: 1px solid var(--line); text-align: left; }
@media (max-width: 50rem) { .page { grid-template-columns: minmax(0, 1fr); } nav { order: 2; } }
@media print { nav { display: none; } }
"""


def main(folder: Path) -> None:
    """Write the site into a folder, which is created."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in help_pages():
        (folder / f"{page.name}.html").write_text("\n".join(_document(page)), encoding="utf-8", newline="\n")
    for picture in sorted({path for page in help_pages() for path in _PICTURE.findall(page.html)}):
        target = folder / picture
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(help_folder().parent / picture, target)
    (folder / _STYLE).write_text(_CSS, encoding="utf-8", newline="\n")


def _document(page: HelpPage) -> Iterator[str]:
    title = "Batchwright help" if page.name == INDEX else f"{page.title} – Batchwright help"
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<title>{html.escape(title)}</title>\n<link rel="stylesheet" href="{_STYLE}">\n</head>\n<body>'
    yield '<div class="page">\n<nav aria-label="Pages">\n<ul>'
    for other in help_pages():
        current = ' aria-current="page"' if other is page else ""
        yield f'<li><a href="{other.name}.html"{current}>{html.escape(other.title)}</a></li>'
    yield "</ul>\n</nav>\n<main>"
    yield _PICTURE.sub(r'src="\1"', _LINK.sub(r'href="\1.html', page.html))
    yield "</main>\n</div>\n</body>\n</html>\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
