"""The script that extracts, updates and compiles the translation catalogues."""

import gettext
import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """`packaging/translations.py`, which searches the sources once."""
    spec = importlib.util.spec_from_file_location("translations", ROOT / "packaging" / "translations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module)["extracted"] = cache(module.extracted)
    return module


@pytest.fixture
def translations(script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script on catalogues in a temporary folder."""
    monkeypatch.setattr(script, "LOCALE", tmp_path)
    monkeypatch.setattr(script, "TEMPLATE", tmp_path / "batchwright.pot")
    return script


def translate(catalogue: Path, message: str, translation: str) -> None:
    text = catalogue.read_text(encoding="utf-8")
    entry = f'msgid "{message}"\nmsgstr '
    assert f'{entry}""' in text
    catalogue.write_text(text.replace(f'{entry}""', f'{entry}"{translation}"'), encoding="utf-8")


def test_a_new_language_from_extraction_to_the_program(translations: ModuleType, tmp_path: Path) -> None:
    translations.update("de")
    translate(translations.source_file("de"), "Move page", "Seite verschieben")  # marked with N_
    translate(translations.source_file("de"), "What to do", "Was zu tun ist")  # in a participant page
    translations.update(None)
    assert translations.compile_all() == 0

    german = gettext.translation("batchwright", tmp_path, languages=["de"])

    assert german.gettext("Move page") == "Seite verschieben"
    assert german.gettext("What to do") == "Was zu tun ist"
    assert german.gettext("Split page") == "Split page"


def test_a_translation_without_its_placeholder_is_reported(translations: ModuleType) -> None:
    translations.update("de")
    message = next(
        entry.id for entry in translations.extracted() if "{" in entry.id and '"' not in repr(entry.id)
    )
    translate(translations.source_file("de"), message, "Anzahl: {anzahl}")
    assert translations.compile_all() == 1


def test_the_catalogues_of_the_program_are_complete_and_compiled(
    translations: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ROOT / "resources" / "locale"
    monkeypatch.setattr(translations, "LOCALE", folder)
    before = {path: path.read_bytes() for path in folder.glob("*/LC_MESSAGES/*.mo")}
    assert translations.compile_all() == 0
    assert {path: path.read_bytes() for path in folder.glob("*/LC_MESSAGES/*.mo")} == before
