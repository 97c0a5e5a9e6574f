"""Random records, JSONL lines and CSV rows: valid, unusual, and invalid in known ways."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeAlias

from tests.samples.schemas import REFERABLE, Schema, key_of_type, random_key, random_schema
from tests.samples.urls import AUDIO, VIDEO, invalid_url, unusual_url, valid_url
from tests.samples.values import Json, chance, random_json, random_text, random_value


@dataclass
class RecordSample:
    """A schema and a record to validate against it; defects are added by changing them."""

    schema: Schema
    record: Json
    defects: list[str] = field(default_factory=list)


Defect: TypeAlias = Callable[[Random, RecordSample], None]


def valid_record(random: Random) -> RecordSample:
    """A record that its schema accepts."""
    schema = random_schema(random)
    record = {key: _valid_value(random, definition["type"]) for key, definition in schema["fields"].items()}
    if not schema["strict"]:
        for key in random.sample(list(record), random.randint(0, len(record))):
            _omit(random, record, key)
    if chance(random, 0.2):
        key = random_key(random)
        record.setdefault(key if key not in schema["fields"] else f"{key} unknown", random_json(random))
    return RecordSample(schema, record)


def random_record(
    random: Random, invalid_probability: float = 0.3, unusual_probability: float = 0.3
) -> RecordSample:
    """A record with one or two defects, or with unusual values, each with its probability.

    Whether an unusual value is valid has to be determined by validation.
    """
    sample = valid_record(random)
    if chance(random, unusual_probability):
        for key in random.choices(list(sample.schema["fields"]), k=2):
            sample.record[key] = _unusual_value(random)
    if chance(random, invalid_probability):
        for name in random.sample(list(INVALID_RECORDS), random.choice((1, 1, 2))):
            if isinstance(sample.record, dict):
                INVALID_RECORDS[name](random, sample)
                sample.defects.append(name)
    return sample


def invalid_record(random: Random, error: str) -> RecordSample:
    """A record with one defect of `INVALID_RECORDS`."""
    sample = valid_record(random)
    INVALID_RECORDS[error](random, sample)
    sample.defects.append(error)
    return sample


def as_line(random: Random, record: Json) -> str:
    """A record as JSON text in one of many forms; a key may occur twice, the last one counts."""
    text = json.dumps(
        record,
        ensure_ascii=chance(random, 0.5) or _has_lone_surrogate(record),
        separators=random.choice(((",", ":"), (", ", ": "), (" ,\t", " : "))),
    )
    if isinstance(record, dict) and record and chance(random, 0.1):
        text = "{" + json.dumps(random.choice(list(record))) + ": 5, " + text[1:]
    return random.choice(("", " ", "\t")) + text + random.choice(("", " ", "\r"))


def invalid_line(random: Random, record: Json, error: str) -> str:
    """A line with one defect of `INVALID_LINES`."""
    return INVALID_LINES[error](json.dumps(record))


def random_row(random: Random, schema: Schema) -> tuple[list[str], list[str]]:
    """A header, sometimes with unknown or missing columns and white space, and a row that may be ragged."""
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
        return random.choice(("", " ", unusual_url(random), "5"))
    value = _valid_value(random, kind)
    return value if isinstance(value, str) else json.dumps(value)


def _valid_value(random: Random, kind: str) -> Json:
    match kind:
        case "image_url":
            return valid_url(random)
        case "audio_url":
            return random.choice(("", valid_url(random, *AUDIO), "http://media.example/a.mp3"))
        case "video_url":
            return random.choice(("", valid_url(random, *VIDEO), "http://media.example/a.mov"))
    return random.choice(("", random_text(random), random_value(random)))


def _unusual_value(random: Random) -> Json:
    value = random.choice((unusual_url, unusual_url, random_json, random_value))(random)
    return random.choice((value, value, None, "\ud800" + str(value)))


def _omit(random: Random, record: dict[str, Json], key: str) -> None:
    if chance(random, 0.5):
        record[key] = None
    else:
        del record[key]


def _has_lone_surrogate(value: Json) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in json.dumps(value, ensure_ascii=False))


def _no_object(random: Random, sample: RecordSample) -> None:
    sample.record = random.choice(([sample.record], None, "record", 5, True, 2.5, []))


def _missing(random: Random, sample: RecordSample) -> None:
    sample.schema["strict"] = True
    key = random.choice(list(sample.schema["fields"]))
    sample.record[key] = None
    _omit(random, sample.record, key)


def _field_value(types: Sequence[str], value_for: Callable[[Random], Json]) -> Defect:
    def apply(random: Random, sample: RecordSample) -> None:
        sample.record[key_of_type(random, sample.schema, *types)] = value_for(random)

    return apply


def _choice(*values: Json) -> Callable[[Random], Json]:
    return lambda random: random.choice(values)


INVALID_RECORDS: Final[Mapping[str, Defect]] = {
    "no object": _no_object,
    "missing in a strict schema": _missing,
    "text no text": _field_value(("text", "metadata", "task_group_id"), _choice([], {}, ["a"], {"a": 1})),
    "media no text": _field_value(
        ("image_url", "audio_url", "video_url"), _choice(5, True, 2.5, [], {}, ["a"])
    ),
    "lone surrogate": _field_value(
        ("text", "metadata", "task_group_id"), _choice("\ud800", "a\udfff", "\udc00\ud800")
    ),
    "lone surrogate in a URL": _field_value(REFERABLE[1:], _choice("https://media.example/\ud800.mp3")),
    "image empty": _field_value(("image_url",), _choice("", " ")),
    "image not https": _field_value(
        ("image_url",), _choice("http://media.example/a.png", "data:image/png;base64,aaaa")
    ),
    "media not absolute": _field_value(("image_url", "audio_url", "video_url"), invalid_url),
    "audio extension": _field_value(
        ("audio_url",), _choice("https://media.example/a.mp4", "https://media.example/a?b.mp3")
    ),
    "video extension": _field_value(
        ("video_url",), _choice("https://media.example/a.mp3", "https://media.example#.mp4")
    ),
}
"""Ways to make a record invalid, by name; each is rejected whatever else the record contains."""

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
"""Ways to make a line of JSONL invalid, by name; none of them can be read as a record."""
