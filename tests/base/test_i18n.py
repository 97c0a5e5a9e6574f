"""Every user-visible text is marked for translation, and translated when it is shown."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

import batchwright
from batchwright.base import i18n
from batchwright.base.system_languages import system_languages

SOURCES = Path(batchwright.__file__).parent
IMPORT = re.compile(r"^\s*(from|import) gettext\b", re.MULTILINE)

IMPORT_EVERYTHING = """
import gettext, importlib, pkgutil, batchwright
gettext.NullTranslations.gettext = lambda catalogue, text: print(text) or text
gettext.NullTranslations.ngettext = lambda catalogue, one, many, number: print(one) or one
for module in pkgutil.walk_packages(batchwright.__path__, "batchwright."):
    importlib.import_module(module.name)
"""


@pytest.mark.gui
def test_nothing_is_translated_on_import() -> None:
    run = subprocess.run(
        [sys.executable, "-c", IMPORT_EVERYTHING], capture_output=True, text=True, check=True
    )
    assert run.stdout == ""


WIRE_LITERALS = re.compile(r"""\b_\(\s*["'][^"']*( \(Copy\)|permission to access this feature)""")
"""Texts that other programs recognise: the name of a copied batch, and the error of a disabled feature."""


def test_texts_of_the_api_are_not_translated() -> None:
    translated = [
        f"{path.name}: {actual[0]}"
        for path in SOURCES.rglob("*.py")
        for actual in WIRE_LITERALS.finditer(path.read_text(encoding="utf-8"))
    ]
    assert translated == []


CALLED_A_PROJECT = re.compile(
    r"""\b(?:N?_|ngettext)\(\s*(?:["'][^"']*["'],?\s*)*?["'][^"']*\bprojects?\b""", re.IGNORECASE
)


def test_user_visible_texts_say_study_and_not_project() -> None:
    assert CALLED_A_PROJECT.search('_(\n"A " "recent project"') is not None
    texts = [
        f"{path.name}: {text[0]}"
        for path in SOURCES.rglob("*.py")
        for text in CALLED_A_PROJECT.finditer(path.read_text(encoding="utf-8"))
    ]
    assert texts == []


def test_only_i18n_imports_gettext() -> None:
    importers = {path for path in SOURCES.rglob("*.py") if IMPORT.search(path.read_text(encoding="utf-8"))}
    assert importers == {SOURCES / "base" / "i18n.py"}


MODULES_WITH_TEXT = ("__main__.py", "app", "cli", "ui", "workflows", "layout", "service/participate")
"""The modules and packages that contain user-visible text."""

TEXT_PATTERN = re.compile(r"[“A-Z][a-z’]{2,}($|[ ,.:…?!])")

NAMES = {
    *(
        "Batchwright",
        "Python",
        "Excel",
        "Windows 1252",
        "Latin 1",
        "Shift JIS",
        "Fusion",
        "Inter",
        "This computer",
    ),
    *(
        "Windows 932 (Shift JIS)",
        "Windows 949",
        "HP Roman 8",
        "Johab",
        "Mac Latin 2",
        "Palm OS",
        "Mac ",
        "Windows ",
    ),
    *("Shift JIS 2004", "Shift JISX0213", "Big5", "Big5-HKSCS"),
    *("Del", "Ins", "Return", "Escape", "Space", "Location", "Read", "None"),
    *("Question", "Annotator", "Response", "Timestamp"),  # columns of the service's report
}
"""Names of programs, encodings, fonts, keys, headers and columns, which have no translation."""

MARKERS = {"_", "N_", "ngettext", "pgettext", "NC_"}
NOT_SHOWN = {
    *("TypeVar", "ParamSpec", "cast", "NewType"),
    *("debug", "info", "warning", "error", "exception"),
}
"""Functions whose arguments are names of types, or go to the log."""


def is_for_developers(node: ast.AST) -> bool:
    """Whether the strings in a node are not shown to users: documentation, types, examples, log messages."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Raise() | ast.Assert():
            return not any(isinstance(part, ast.Call) and _called(part) in MARKERS for part in ast.walk(node))
        case ast.Call():
            return _called(node) in MARKERS | NOT_SHOWN
        case ast.keyword(arg="passes" | "fails"):  # the examples of a rule
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
    return False


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def shown_strings(node: ast.AST) -> Iterator[ast.Constant]:
    """The string constants that can be shown and that are not marked."""
    if is_for_developers(node):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "slice"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from shown_strings(child)


def modules_with_text() -> Iterator[Path]:
    for name in MODULES_WITH_TEXT:
        actual = SOURCES / name
        yield from [actual] if actual.is_file() else sorted(actual.rglob("*.py"))


def test_every_user_visible_text_is_marked() -> None:
    unmarked = [
        f"{path.relative_to(SOURCES)}:{text.lineno}: {text.value!r}"
        for path in modules_with_text()
        if path.stem != "examples"
        for text in shown_strings(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text.value, str) and TEXT_PATTERN.match(text.value) and text.value not in NAMES
    ]
    assert unmarked == []


def test_an_unmarked_text_is_found() -> None:
    source = (
        'TITLE = "Delete page"\nraise ValueError("Not a page")\nlog.info("Page deleted")\nx = _("Delete")'
    )
    assert [text.value for text in shown_strings(ast.parse(source))] == ["Delete page"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Save", "[Sávé ~]"),
        ("Delete {count} of <b>{name:>10}</b>", "[Délété {count} óf <b>{name:>10}</b> ~~~~~~~~~~]"),
        ("%d %B", "[%d %B ~~]"),
        ("Fish &amp; chips", "[Físh &amp; çhíps ~~~~~]"),
    ],
)
def test_the_pseudo_locale_keeps_placeholders(text: str, expected: str) -> None:
    assert i18n.pseudo_translated(text) == expected


def test_an_empty_text_has_no_translation() -> None:
    assert i18n._("") == ""


PRINT_TRANSLATED = """
from batchwright.base.i18n import _, ngettext
print(_("Save"), ngettext("{count} page", "{count} pages", 2))
"""


def test_the_pseudo_locale_is_chosen_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(i18n.LANGUAGE_VARIABLE, i18n.PSEUDO)
    command = [sys.executable, "-X", "utf8", "-c", PRINT_TRANSLATED]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert run.stdout == "[Sávé ~] [{count} págés ~~~~]\n"


@pytest.fixture
def german_and_portuguese(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A program with texts in English, German and Brazilian Portuguese."""
    for name in ("de", "pt_BR"):
        folder = tmp_path / "locale" / name / "LC_MESSAGES"
        folder.mkdir(parents=True)
        with (folder / "batchwright.mo").open("wb") as file:
            write_mo(file, Catalog(name))
    monkeypatch.setattr(i18n, "resource", lambda: tmp_path)
    i18n.language.cache_clear()
    yield
    i18n.language.cache_clear()


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "de_AT.UTF-8"}, ("de", "de-AT")),
        ({"LANG": "de_AT.UTF-8", "LC_ALL": "C"}, ("en", "en")),
        ({"LANGUAGE": "en_GB:de"}, ("en", "en-GB")),  # German is the second choice only
        ({"LANGUAGE": "sv:de:en", "LANG": "en_US.UTF-8"}, ("de", "de")),
        ({"LANG": "de_DE.UTF-8", "LC_NUMERIC": "de_CH.UTF-8"}, ("de", "de-CH")),
        ({"LANG": "de_DE.UTF-8", "LC_NUMERIC": "en_US.UTF-8"}, ("de", "de-DE")),
        ({"LANG": "de_DE.UTF-8", "LC_NUMERIC": "C"}, ("de", "de-DE")),
        ({"LANG": "de_DE.UTF-8", "LC_NUMERIC": "de_CH.UTF-8", "LC_ALL": "de_AT.UTF-8"}, ("de", "de-AT")),
        ({"LANG": "pt_PT"}, ("pt-BR", "pt-PT")),
        ({"LANG": "nl_NL"}, ("en", "en")),
        ({"LANG": "de_DE.UTF-8", i18n.LANGUAGE_VARIABLE: "pt_BR"}, ("pt-BR", "pt-BR")),
        ({}, ("en", "en")),
    ],
)
@pytest.mark.usefixtures("german_and_portuguese")
@pytest.mark.skipif(sys.platform != "linux", reason="without variables, the system's languages count")
def test_the_first_language_that_the_user_reads_and_the_program_has_is_chosen(
    variables: dict[str, str], expected: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", variables)  # not those of the process, from which the C library reads
    chosen = i18n.start_language()
    assert (chosen.tag, chosen.locale) == expected


@pytest.mark.parametrize("tag", ["pt", "pt-PT", "pt-BR", "de-AT"])
@pytest.mark.usefixtures("german_and_portuguese")
def test_a_language_has_the_texts_of_another_region_if_there_are_none_for_its_own(tag: str) -> None:
    assert i18n.has_catalogue(tag)
    assert i18n.language(tag).locale == tag, "its own numbers"
    assert not i18n.has_catalogue("nl")


@pytest.mark.parametrize("tag", ["ar", "ks", "bal", "bgn", "trw", "sdh", "lrc", "mzn", "rhg", "az-Arab"])
def test_languages_are_written_from_right_to_left(tag: str) -> None:
    assert i18n.text_direction(tag) == "rtl"
    assert i18n.text_direction(f"{tag.partition('-')[0]}-Latn") == "ltr"


@pytest.mark.skipif(sys.platform == "linux", reason="there, environment variables have the languages")
def test_the_system_names_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert all(re.fullmatch(r"[a-z]{2,3}(-\w+)*", tag) for tag in system_languages())
    assert system_languages()


@pytest.mark.usefixtures("german_and_portuguese")
def test_the_chosen_language_is_that_of_the_program_and_of_those_it_starts_unless_a_variable_has_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(i18n, "_program", [i18n.program_language()])
    i18n.set_program_language("de")
    assert i18n.program_language().tag == "en"  # set for the tests
    monkeypatch.setenv(i18n.LANGUAGE_VARIABLE, "")
    i18n.set_program_language("de")
    assert (i18n.program_language().tag, os.environ[i18n.LANGUAGE_VARIABLE]) == ("de", "de")


def test_a_context_is_not_shown() -> None:
    assert (i18n._(i18n.NC_("duration", "Time")), i18n.pgettext("duration", "Time")) == ("Time", "Time")


@pytest.mark.usefixtures("german")
def test_a_text_with_two_meanings_has_two_translations() -> None:
    assert i18n._(i18n.NC_("when it was answered", "Time")) == "Zeitpunkt"
    assert i18n.pgettext("duration", "Time") == "Zeit"
