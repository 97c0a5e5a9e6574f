"""Files for translators are written, come back from other programs, and are read without loss."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json
from batchwright.data_files.translation_files.csv_file import csv_content, read_csv
from batchwright.data_files.translation_files.exchanged_texts import (
    InvalidTranslationFile,
    ReadTranslations,
    StudyLanguages,
    address_of,
    text_id,
)
from batchwright.data_files.translation_files.xliff import read_xliff, xliff_content
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.translations import (
    ParticipantText,
    ParticipantTexts,
    TextAddress,
    Translation,
    Translations,
)

ITEM: Json = {
    "type": "multiple_choice",
    "description": "- Which\none?",
    "answer_limit": 1,
    "options": [{"label": "=A", "value": "a/b"}, {"label": "B; or “C”", "value": 2}],
}
TEXTS = ParticipantTexts(
    {"task_name": "Cats"}, read([{"rows": [{"columns": [{"items": [ITEM]}]}]}], sequential_keys())
).texts()
NAME, QUESTION, FIRST, SECOND = (text.address for text in TEXTS)
GERMAN = {
    NAME: Translation("Katzen", "Cats"),
    QUESTION: Translation("- Welche\n\n<b>davon</b>?", "- Which\none?"),
    FIRST: Translation("=A & B", "A"),
}
LANGUAGES = StudyLanguages(("de", "fr", "pt-BR"), ("de", "pt-BR"))
TRANSLATIONS: Translations = {"de": GERMAN, "pt-BR": {}}
Reader = Callable[[bytes, list[ParticipantText], StudyLanguages], ReadTranslations]


def place_of(text: ParticipantText) -> str:
    return text.text.title


def as_csv(texts: list[ParticipantText] = TEXTS, translations: Translations = TRANSLATIONS) -> bytes:
    return csv_content(texts, translations, place_of)


def as_xliff(texts: list[ParticipantText] = TEXTS) -> bytes:
    return xliff_content(texts, "en", "de", GERMAN, place_of)


def test_what_is_written_is_read_and_what_has_another_source_stays_marked() -> None:
    current = {**GERMAN, FIRST: Translation("=A & B", "=A")}
    assert read_csv(as_csv(), TEXTS, LANGUAGES).translations == {"de": current, "pt-BR": {}}
    assert read_xliff(as_xliff(), TEXTS, LANGUAGES).translations == {"de": current}
    assert 'state="needs-review-translation"' in as_xliff().decode()
    older = as_xliff().replace(b">Cats<", b">Dogs<")
    assert read_xliff(older, TEXTS, LANGUAGES).translations["de"][NAME] == Translation("Katzen", "Dogs")


@given(st.text(), st.text(min_size=1))
def test_any_text_is_read_as_it_was_written(label: str, value: str) -> None:
    item = {**ITEM, "options": [{"label": label, "value": value}]}  # type: ignore[dict-item]
    layout = read([{"rows": [{"columns": [{"items": [item]}]}]}], sequential_keys())
    texts = ParticipantTexts({}, layout).texts()
    translated = {address: Translation(text.text, text.text) for address, text in texts}
    assert read_csv(csv_content(texts, {"de": translated}, place_of), texts, LANGUAGES).translations == {
        "de": translated
    }
    written = xliff_content(texts, "en", "de", translated, place_of)
    assert read_xliff(written, texts, LANGUAGES).translations["de"].keys() == translated.keys()


def test_an_id_names_the_address_of_a_text() -> None:
    assert [address_of(text_id(text.address)) for text in TEXTS] == [text.address for text in TEXTS]
    assert address_of("nothing") is None
    assert address_of("a/b/c/d/e") is None
    assert address_of("a/b") == TextAddress("a", "b")


@pytest.mark.parametrize("delimiter", [";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_spreadsheet_program_may_write_other_delimiters_and_encodings(
    delimiter: str, encoding: str
) -> None:
    rows = (("id", "source", "de"), (text_id(NAME), "Cats", "Katzen"), ("", "", ""))
    content = "\r\n".join(delimiter.join(row) for row in rows).encode(encoding)
    assert read_csv(content, TEXTS, LANGUAGES).translations == {"de": {NAME: Translation("Katzen", "Cats")}}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
@pytest.mark.parametrize("is_named", [True, False])
def test_columns_may_be_in_another_order(delimiter: str, line_end: str, is_named: bool) -> None:
    rows = (('"source"', "place", "de", "id"), ('"Cats, dogs; birds"', "p", "Tiere", text_id(NAME)))
    lines = [*([f"sep={delimiter}"] if is_named else []), *(delimiter.join(row) for row in rows)]
    result = read_csv(line_end.join(lines).encode(), TEXTS, LANGUAGES)
    assert result.translations == {"de": {NAME: Translation("Tiere", "Cats, dogs; birds")}}


def test_a_region_that_a_program_names_is_the_only_one_of_its_language_in_the_study() -> None:
    written = as_xliff().replace(b'"de"', b'"de-DE"')
    assert read_xliff(written, TEXTS, LANGUAGES).translations.keys() == {"de"}
    for used in ((), ("fr",), ("de", "de-AT")):
        with pytest.raises(InvalidTranslationFile, match="“de-DE” is not a language"):
            read_xliff(written, TEXTS, StudyLanguages(("de", "de-AT", "fr"), used))
    both = StudyLanguages(("de", "de-DE"), ("de",))
    assert read_xliff(written, TEXTS, both).translations.keys() == {"de-DE"}


def test_languages_are_those_of_the_study_however_they_are_written() -> None:
    content = as_csv().replace(b",de,pt-BR", b",DE,pt_br")
    assert read_csv(content, TEXTS, LANGUAGES).translations.keys() == {"de", "pt-BR"}
    assert read_xliff(as_xliff().replace(b'"de"', b'"De"'), TEXTS, LANGUAGES).translations.keys() == {"de"}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_other_ends_of_lines_do_not_make_a_translation_outdated(line_end: str) -> None:
    item = {**ITEM, "description": f"Which{line_end}one?"}  # type: ignore[dict-item]
    layout = read([{"rows": [{"columns": [{"items": [item]}]}]}], sequential_keys())
    texts = ParticipantTexts({}, layout).texts()
    rows = (("id", "source", "de"), (text_id(texts[0].address), '"Which\none?"', "Welche?"))
    content = "\n".join(",".join(row) for row in rows).encode()
    (found,) = read_csv(content, texts, LANGUAGES).translations["de"].values()
    assert found == Translation("Welche?", f"Which{line_end}one?")


def test_texts_that_the_study_does_not_have_are_named_and_blank_ones_are_no_translations() -> None:
    result = read_csv(
        as_csv(translations={"de": {**GERMAN, QUESTION: Translation(" ", "")}}), TEXTS[1:], LANGUAGES
    )
    assert [(one.line, one.text) for one in result.unknown] == [(2, "Katzen")]
    assert result.translations["de"].keys() == {FIRST}
    changed = {**GERMAN, FIRST: Translation("=A", "=A")}
    assert result.merged_into({"de": changed, "fr": {}}) == {
        "de": {**GERMAN, FIRST: Translation("=A & B", "=A")},
        "fr": {},
    }
    (unknown,) = read_xliff(as_xliff(), TEXTS[1:], LANGUAGES).unknown
    assert (
        as_xliff().decode().splitlines()[unknown.line - 1].strip().startswith('<trans-unit id="/task_name"')
    )


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_was_not_translated_again_stays_outdated(line_end: str) -> None:
    stored: Translations = {"de": {**GERMAN, FIRST: Translation(f"=A{line_end}& B", "A")}, "pt-BR": {}}
    content = xliff_content(TEXTS, "en", "de", stored["de"], place_of)
    assert read_csv(as_csv(translations=stored), TEXTS, LANGUAGES).merged_into(stored) == stored
    assert read_xliff(content, TEXTS, LANGUAGES).merged_into(stored) == stored
    stateless = re.sub(b' state="[a-z-]+"', b"", content)
    assert read_xliff(stateless, TEXTS, LANGUAGES).merged_into(stored) == stored


def with_options(*options: tuple[str, Json]) -> list[ParticipantText]:
    """The texts of the question with other options."""
    entries: Json = [{"label": label, "value": value} for label, value in options]
    item = {**ITEM, "options": entries}  # type: ignore[dict-item]
    return ParticipantTexts(
        {}, read([{"rows": [{"columns": [{"items": [item]}]}]}], sequential_keys())
    ).texts()


@pytest.mark.parametrize("values", [(3, 2, 1), (7, 8, 9)])
def test_a_file_from_before_options_got_other_values_translates_each_option(values: tuple[int, ...]) -> None:
    german = {"Bad": "Schlecht", "Medium": "Mittel", "Good": "Gut"}
    before = with_options(*zip(german, (1, 2, 3), strict=True))
    after = with_options(*zip(german, values, strict=True))
    translated = {
        address: Translation(german.get(text.text, "Welche?"), text.text) for address, text in before
    }
    result = read_csv(csv_content(before, {"de": translated}, place_of), after, LANGUAGES)
    assert not result.unknown
    found = result.translations["de"]
    assert {text.text: found[address].text for address, text in after[1:]} == german


def test_of_several_options_with_the_source_of_a_translation_none_is_guessed() -> None:
    before, after = with_options(("Good", 1), ("Bad", 2)), with_options(("Best", 1), ("Good", 2), ("Good", 3))
    translated = {address: Translation("Gut", text.text) for address, text in before[1:2]}
    result = read_csv(csv_content(before, {"de": translated}, place_of), after, LANGUAGES)
    assert result.translations["de"] == {before[1].address: Translation("Gut", "Good")}


@pytest.mark.parametrize("state", ["translated", "final"])
def test_a_translation_that_was_reviewed_is_not_outdated_any_more(state: str) -> None:
    content = as_xliff().replace(b"needs-review-translation", state.encode())
    merged = read_xliff(content, TEXTS, LANGUAGES).merged_into(TRANSLATIONS)
    assert merged["de"] == {**GERMAN, FIRST: Translation("=A & B", "=A")}


def test_xliff_2_and_what_tools_add_are_read() -> None:
    unit = f"""<unit id="{text_id(NAME)}"><notes><note>Name</note></notes>
      <segment><source>Ca</source><target>Kat</target></segment>
      <segment><source>ts</source><target>z<mrk id="1">en</mrk></target></segment></unit>"""
    head = '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">'
    two = f'{head}<file id="f">{unit}</file></xliff>'
    assert read_xliff(two.encode(), TEXTS, LANGUAGES).translations == {
        "de": {NAME: Translation("Katzen", "Cats")}
    }
    suggested = b"<alt-trans><source>Cat</source><target>Kater</target></alt-trans></trans-unit>"
    changed = as_xliff().replace(b"</trans-unit>", suggested, 1)
    assert read_xliff(changed, TEXTS, LANGUAGES).translations["de"][NAME] == Translation("Katzen", "Cats")


def in_xliff_2(unit: str) -> bytes:
    """A file with one unit, for the name of the task."""
    return f"""<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de"
        xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"
        xmlns:res="urn:oasis:names:tc:xliff:resourcedata:2.0">
        <file id="f"><unit id="{text_id(NAME)}">{unit}</unit></file></xliff>""".encode()


@pytest.mark.parametrize(
    ("unit", "source", "target"),
    [
        (
            """<mtc:matches><mtc:match ref="#1"><source>Cat</source><target>Kater</target></mtc:match>
            </mtc:matches><res:resourceData><res:resourceItem><res:source>a</res:source>
            <res:target>b</res:target></res:resourceItem></res:resourceData>
            <segment id="1"><source>Cats</source><target>Katzen</target></segment>""",
            "Cats",
            "Katzen",
        ),
        (
            """<segment><source>A.</source><target>1.</target></segment>
            <ignorable><source> </source></ignorable>
            <segment><source>B.</source><target>2.</target></segment>
            <ignorable><source>  </source><target>\n</target></ignorable>
            <segment><source>C.</source><target>3.</target></segment>""",
            "A. B.  C.",
            "1. 2.\n3.",
        ),
        (
            """<segment><source>A.</source><target order="5">1.</target></segment>
            <ignorable><source> </source></ignorable>
            <segment><source>B.</source><target order="1">2.</target></segment>
            <ignorable><source> </source></ignorable>
            <segment><source>C.</source><target order="3">3.</target></segment>""",
            "A. B. C.",
            "2. 3. 1.",
        ),
        ("<segment><source>Cats</source><target>Cats</target></segment>", "Cats", "Cats"),
    ],
)
def test_parts_of_a_text_are_joined_in_their_order_without_suggestions(
    unit: str, source: str, target: str
) -> None:
    result = read_xliff(in_xliff_2(unit), TEXTS, LANGUAGES)
    assert result.translations["de"] == {NAME: Translation(target, source)}
    assert not result.incomplete


@pytest.mark.parametrize(
    "segment",
    [
        "<segment><source>B.</source></segment>",
        "<segment><source>B.</source><target/></segment>",
        "<segment state='initial'><source>B.</source><target>B.</target></segment>",
    ],
)
def test_a_translation_of_a_part_is_not_imported(segment: str) -> None:
    translated = "<segment><source>A.</source><target>1.</target></segment>"
    result = read_xliff(in_xliff_2(translated + segment), TEXTS, LANGUAGES)
    assert result.translations == {"de": {}}
    assert [one.line for one in result.incomplete] == [4]
    ignorable = "<ignorable><source>&lt;br&gt;</source></ignorable>"
    result = read_xliff(in_xliff_2(segment + ignorable + segment), TEXTS, LANGUAGES)
    assert (result.translations, result.incomplete) == ({"de": {}}, [])


@pytest.mark.parametrize("state", ["new", "needs-translation"])
def test_a_copied_source_is_no_translation_before_it_is_translated(state: str) -> None:
    content = as_xliff().replace(b'state="translated"', f'state="{state}"'.encode())
    copied = content.replace(b">Katzen<", b">Cats<")
    assert NAME in read_xliff(content, TEXTS, LANGUAGES).translations["de"]
    assert NAME not in read_xliff(copied, TEXTS, LANGUAGES).translations["de"]
    done = copied.replace(f'state="{state}"'.encode(), b'state="translated"')
    assert read_xliff(done, TEXTS, LANGUAGES).translations["de"][NAME] == Translation("Cats", "Cats")


@pytest.mark.parametrize(
    ("read", "content", "message"),
    [
        (read_csv, b"", "Line 1: The column “id” is missing."),
        (read_csv, b"id,de\n", "Line 1: The column “source” is missing."),
        (read_csv, b"id,source,German text\n", "Line 1: “German text” is not a language"),
        (read_csv, b"id,source,Comment\n", "Line 1: “Comment” is not a language"),
        (read_csv, b"id,source,en\n", "Line 1: “en” is not a language"),
        (read_csv, b"id,source,de\na/b,c,d,e\n", "Line 2: There are more cells"),
        (read_csv, b'id,source,de\na/b,c,"d\n', "Line 2: "),
        (read_csv, b"id,source,de\na/b,c,d\na/b,c,\xff\n", "Line 3: This is not UTF-8"),
        (read_xliff, b"", "no element found"),
        (read_xliff, b"<xliff>\n<file", "Line 2: "),
        (read_xliff, b"<?xml version='1.0' encoding='shift_jis'?><xliff/>", "Save the file as UTF-8"),
        (read_xliff, b"<?xml version='1.0' encoding='none'?><xliff/>", "Line 1: "),
        (read_xliff, b"<xliff><file target-language='xx'/></xliff>", "Line 1: “xx” is not a language"),
        (read_xliff, b"<html/>", "Line 1: This is not an XLIFF file."),
        (read_xliff, b"<!DOCTYPE a [<!ENTITY b 'c'>]><xliff/>", "no document type"),
        (read_xliff, b"<xliff>\n<trans-unit id='a/b'/></xliff>", "Line 2: The file does not name"),
    ],
)
def test_a_damaged_file_is_rejected_with_its_line(read: Reader, content: bytes, message: str) -> None:
    with pytest.raises(InvalidTranslationFile) as caught:
        read(content, TEXTS, LANGUAGES)
    assert message in str(caught.value)
