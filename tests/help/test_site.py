"""The static site of the help: every page is there, and every link and picture leads somewhere in it."""

import re
from pathlib import Path

from batchwright.help.pages import help_pages
from tests.packaging.scripts import load_script

TARGET = re.compile(r'(?:href|src)="([^"]*)"')


def test_every_link_of_the_site_leads_to_a_page_a_heading_or_a_picture(tmp_path: Path) -> None:
    load_script("help_site").main(tmp_path / "site")
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "site").glob("*.html")}
    assert set(pages) == {f"{page.name}.html" for page in help_pages()}
    for name, text in pages.items():
        for target in TARGET.findall(text):
            file, _mark, anchor = target.partition("#")
            if not target.startswith("https://"):
                assert (tmp_path / "site" / (file or name)).is_file(), target
                assert not anchor or f'id="{anchor}"' in pages[file or name], target
