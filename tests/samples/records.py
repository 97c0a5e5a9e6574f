"""Random records, JSONL lines and CSV rows: valid, unusual, and invalid in known ways."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeAlias

from tests.samples.schemas import REFERABLE, Schema, key_of_type, random_key, random_schema
from tests.samples.urls import AUDIO, VIDEO, invalid_url, odd_address, web_address
from tests.samples.values import Json, chance, random_json, random_text, random_value


@dataclass
class RecordSample:
    """A schema and a record to judge by it; faults are put in place by changing them."""

    schema: Schema
    record: Json
    broken: list[str] = field(default_factory=list)


Fault: TypeAlias = Callable[[Random, RecordSample], None]


def sound_record(random: Random) -> RecordSample:
    """A record that its schema accepts."""
    schema = random_schema(random)
    record = {key: _sound_value(random, one["type"]) for key, one in schema["fields"].items()}
    if not schema["strict"]:
        for key in random.sample(list(record), random.randint(0, len(record))):
            _leave_out(random, record, key)
    if chance(random, 0.2):
        key = random_key(random)
        record.setdefault(key if key not in schema["fields"] else f"{key} unknown", random_json(random))
    return RecordSample(schema, record)


def random_record(random: Random, broken: float = 0.3, odd: float = 0.3) -> RecordSample:
    """A record, broken in one or two ways or with odd values, each with its probability.

    Nobody knows whether an odd value is right before it has been judged.
    """
    sample = sound_record(random)
    if chance(random, odd):
        for key in random.choices(list(sample.schema["fields"]), k=2):
            sample.record[key] = _odd_value(random)
    if chance(random, broken):
        for name in random.sample(list(INVALID_RECORDS), random.choice((1, 1, 2))):
            if isinstance(sample.record, dict):
                INVALID_RECORDS[name](random, sample)
                sample.broken.append(name)
    return sample


def invalid_record(random: Random, error: str) -> RecordSample:
    """A record broken in this one of `INVALID_RECORDS`."""
    sample = sound_record(random)
    INVALID_RECORDS[error](random, sample)
    sample.broken.append(error)
    return sample


def as_line(random: Random, record: Json) -> str:
    """A record as JSON text in one of many spellings; a key may stand twice, the last one counting."""
    text = json.dumps(
        record,
        ensure_ascii=chance(random, 0.5) or _has_half_character(record),
        separators=random.choice(((",", ":"), (", ", ": "), (" ,\t", " : "))),
    )
    if isinstance(record, dict) and record and chance(random, 0.1):
        text = "{" + json.dumps(random.choice(list(record))) + ": 5, " + text[1:]
    return random.choice(("", " ", "\t")) + text + random.choice(("", " ", "\r"))


def invalid_line(random: Random, record: Json, error: str) -> str:
    """A line broken in this one of `LINE_FAULTS`."""
    return INVALID_LINES[error](json.dumps(record))


def random_row(random: Random, schema: Schema) -> tuple[list[str], list[str]]:
    """A header, with strays, gaps and white space at times, and a row that may be ragged."""
    keys = list(schema["fields"])
    random.shuffle(keys)
    if len(keys) > 1 and chance(random, 0.2):
        keys.pop()
    if chance(random, 0.3):
        keys.insert(random.randint(0, len(keys)), "no such field")
    cells = [_cell(random, schema["fields"].get(key, {"type": "text"})["type"]) for key in keys]
    header = [random.choice((key, key, f" {key}", f"{key}\t ")) for key in keys]
    if chance(random, 0.1):
        cells = random.choice((cells[:-1], [*cells, "more"]))
    return header, cells


def _cell(random: Random, kind: str) -> str:
    if chance(random, 0.15):
        return random.choice(("", " ", odd_address(random), "5"))
    value = _sound_value(random, kind)
    return value if isinstance(value, str) else json.dumps(value)


def _sound_value(random: Random, kind: str) -> Json:
    match kind:
        case "image_url":
            return web_address(random)
        case "audio_url":
            return random.choice(("", web_address(random, *AUDIO), "http://media.example/a.mp3"))
        case "video_url":
            return random.choice(("", web_address(random, *VIDEO), "http://media.example/a.mov"))
    return random.choice(("", random_text(random), random_value(random)))


def _odd_value(random: Random) -> Json:
    value = random.choice((odd_address, odd_address, random_json, random_value))(random)
    return random.choice((value, value, None, "\ud800" + str(value)))


def _leave_out(random: Random, record: dict[str, Json], key: str) -> None:
    if chance(random, 0.5):
        record[key] = None
    else:
        del record[key]


def _has_half_character(value: Json) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in json.dumps(value, ensure_ascii=False))


def _no_object(random: Random, sample: RecordSample) -> None:
    sample.record = random.choice(([sample.record], None, "record", 5, True, 2.5, []))


def _missing(random: Random, sample: RecordSample) -> None:
    sample.schema["strict"] = True
    key = random.choice(list(sample.schema["fields"]))
    sample.record[key] = None
    _leave_out(random, sample.record, key)


def _given(types: Sequence[str], draw: Callable[[Random], Json]) -> Fault:
    def breaks(random: Random, sample: RecordSample) -> None:
        sample.record[key_of_type(random, sample.schema, *types)] = draw(random)

    return breaks


def _one_of(*values: Json) -> Callable[[Random], Json]:
    return lambda random: random.choice(values)


INVALID_RECORDS: Final[Mapping[str, Fault]] = {
    "no object": _no_object,
    "missing in a strict schema": _missing,
    "text no text": _given(("text", "metadata", "task_group_id"), _one_of([], {}, ["a"], {"a": 1})),
    "media no text": _given(("image_url", "audio_url", "video_url"), _one_of(5, True, 2.5, [], {}, ["a"])),
    "half a character": _given(
        ("text", "metadata", "task_group_id"), _one_of("\ud800", "a\udfff", "\udc00\ud800")
    ),
    "half a character in an address": _given(REFERABLE[1:], _one_of("https://media.example/\ud800.mp3")),
    "image empty": _given(("image_url",), _one_of("", " ")),
    "image not https": _given(
        ("image_url",), _one_of("http://media.example/a.png", "data:image/png;base64,aaaa")
    ),
    "media not absolute": _given(("image_url", "audio_url", "video_url"), invalid_url),
    "audio extension": _given(
        ("audio_url",), _one_of("https://media.example/a.mp4", "https://media.example/a?b.mp3")
    ),
    "video extension": _given(
        ("video_url",), _one_of("https://media.example/a.mp3", "https://media.example#.mp4")
    ),
}
"""Ways to break a record, by name; each is rejected whatever else it holds."""

INVALID_LINES: Final[Mapping[str, Callable[[str], str]]] = {
    "cut off": lambda text: text[:-1],
    "two records": lambda text: text + " " + text,
    "comma at the end": lambda text: text + ",",
    "in an array": lambda text: f"[{text}]",
    "NaN": lambda text: '{"some other key": NaN}',
    "infinity": lambda text: '{"some other key": [-Infinity]}',
    "number too large": lambda text: '{"some other key": 1e999}',
    "too many digits": lambda text: '{"some other key": ' + "9" * 5000 + "}",
    "nested too deeply": lambda text: '{"some other key": ' + "[" * 150 + "1" + "]" * 150 + "}",
    "nested far too deeply": lambda text: '{"some other key": ' + "[" * 50_000 + "]" * 50_000 + "}",
    "single quotes": lambda text: "{'some other key': 1}",
    "wrong escape": lambda text: '{"some other key": "\\x41"}',
    "control character": lambda text: '{"some other key": "a\x01"}',
    "number with a leading zero": lambda text: '{"some other key": 01}',
    "a word": lambda text: "record",
}
"""Ways to break a line of JSONL, by name; none of them can be read as a record."""
