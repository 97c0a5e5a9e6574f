"""The static site of the help: each language has every page, and all links and pictures lead somewhere."""

import re
from pathlib import Path

from batchwright.base.i18n import languages
from batchwright.help.pages import help_pages
from tests.packaging.scripts import load_script

TARGET = re.compile(r'(?:href|src)="([^"]*)"')
ID = re.compile(r' id="([^"]*)"')


def test_every_link_of_the_site_leads_to_a_page_a_heading_or_a_picture(tmp_path: Path) -> None:
    site = (tmp_path / "site").resolve()
    load_script("help_site").main(site)
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    anchors = {path: set(ID.findall(text)) for path, text in pages.items()}
    names = {"contents.html", *(f"{page.name}.html" for page in help_pages())}
    for tag in languages():
        folder = site if tag == "en" else site / tag
        assert {path.name for path in pages if path.parent == folder} == names
    for path, text in pages.items():
        for target in set(TARGET.findall(text)):
            file, _mark, anchor = target.partition("#")
            if not target.startswith("https://"):
                found = (path.parent / file).resolve() if file else path
                assert found in pages or found.is_file(), (path, target)
                assert not anchor or anchor in anchors[found], (path, target)
