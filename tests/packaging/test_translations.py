"""The script that extracts, updates and compiles the translation catalogues."""

import gettext
import os
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.scripts import FOLDER, load_script


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """`packaging/translations.py`, which searches the sources once."""
    module = load_script("translations")
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
    translations.compile_changed()
    assert list(translations.faults()) == []

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
    (fault,) = translations.faults()
    assert "placeholders" in fault
    missing = list(translations.missing())
    assert any("'Move page'" in text for text in missing)
    assert not any(repr(message) in text for text in missing)


@pytest.mark.parametrize(
    ("one", "many", "is_fault"),
    [
        ("{count} Seite", "{count} Seiten", False),
        ("Eine Seite", "{count} Seiten", True),
        ("{count} Seite", "Seiten", True),
        ("{count} Seite", "{anzahl} Seiten", True),
    ],
)
def test_each_form_of_a_plural_has_the_placeholders_of_its_original(
    one: str, many: str, is_fault: bool, translations: ModuleType
) -> None:
    translations.update("de")
    source = translations.source_file("de")
    text = source.read_text(encoding="utf-8")
    entry = 'msgid "{count} page"\nmsgid_plural "{count} pages"\n'
    empty, forms = 'msgstr[0] ""\nmsgstr[1] ""\n', f'msgstr[0] "{one}"\nmsgstr[1] "{many}"\n'
    assert entry + empty in text
    source.write_text(text.replace(entry + empty, entry + forms), encoding="utf-8")
    assert bool(list(translations.faults())) == is_fault


def test_a_changed_catalogue_is_compiled_again(translations: ModuleType) -> None:
    translations.update("de")
    source = translations.source_file("de")
    binary = source.with_suffix(".mo")
    translations.compile_changed()
    os.utime(binary, ns=(1, 1))
    translations.compile_changed()
    assert binary.stat().st_mtime_ns >= source.stat().st_mtime_ns


def test_a_translation_without_the_term_of_its_language_is_reported(translations: ModuleType) -> None:
    translations.update("de")
    source = translations.source_file("de")
    translate(source, "Move page", "Seite verschieben")
    translate(source, "Split page", "Blatt teilen")
    terms = source.parents[1] / "terms.toml"
    terms.write_text('page = ["Seite"]', encoding="utf-8")
    (fault,) = translations.faults()
    assert "“page” is not in 'Blatt teilen'" in fault
    terms.write_text('page = ["Seite"]\n[exceptions]\n"Split page" = "of paper"', encoding="utf-8")
    assert list(translations.faults()) == []
    terms.write_text('[exceptions]\n"Split paper" = "of paper"', encoding="utf-8")
    (fault,) = translations.faults()
    assert "no message: 'Split paper'" in fault


def test_the_catalogues_of_the_program_are_complete_have_all_placeholders_and_follow_the_terms(
    translations: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translations, "LOCALE", FOLDER.parent / "resources" / "locale")
    assert list(translations.faults()) == []
    assert list(translations.missing()) == []


def test_the_texts_of_study_templates_are_translated_with_their_markup(
    translations: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translations, "LOCALE", FOLDER.parent / "resources" / "locale")
    texts = {text for _folder, text in translations.study_texts()}
    assert len(texts) > 100
    for path in translations.catalogues():
        catalogue = translations.read(path)
        for text in texts:
            message = catalogue.get(text)
            assert message is not None, f"{path}: {text!r}"
            assert message.string, f"{path}: {text!r}"
            assert not message.fuzzy, f"{path}: {text!r}"
            assert markup(message.string) == markup(text), path


def markup(text: str) -> list[str]:
    """What is Markdown in a text: headings, paragraphs, emphasis and brackets."""
    return re.findall(r"^#+ |\*+|\n+|\[\?\]", text, re.MULTILINE)
