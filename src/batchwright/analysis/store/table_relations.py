"""Tables that the database reads itself, as expressions of SQL: a hundred times as fast as row by row.

The database may read files in one folder only, where a copy is written; CSV is copied in UTF-8. It reads some
texts differently from `data_files`, or less strictly: for a file that may contain such texts there is no
relation.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from shutil import copyfile
from typing import Any

from batchwright.data_files.formats import Format
from batchwright.data_files.reader import columns, lines, open_stream

_PART_LINES = 4_096
"""Lines that are copied at once."""

Check = Callable[[], object]
"""Called often; an error that it raises ends the reading."""


@dataclass(frozen=True)
class Relation:
    """What follows FROM in SQL, and the columns of a table as expressions of SQL.

    Of several columns with the same name, the last one that is not empty counts.
    """

    source: str
    columns: Mapping[str, Sequence[str]]

    def text(self, name: str) -> str:
        """The expression of a column; NULL for what is empty, or if there is none."""
        cells = [f"nullif({cell}, '')" for cell in reversed(self.columns.get(name, ()))]
        return f"coalesce({', '.join(cells)})" if cells else "NULL::VARCHAR"


def parquet_relation(reader: Any, path: Path) -> Relation:
    """The relation of a Parquet file; a time is written in ISO 8601, a whole number without a point."""
    source = f"read_parquet({_literal(str(path))})"
    described = reader.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
    return Relation(source, {name: [_as_text(name, type)] for name, type, *_more in described})


def _as_text(name: str, type: str) -> str:
    column = '"{}"'.format(name.replace('"', '""'))
    if type.startswith("TIMESTAMP"):
        return f"strftime({column}::TIMESTAMPTZ, '%Y-%m-%dT%H:%M:%S.%gZ')"
    if type in ("DOUBLE", "FLOAT"):
        return f"canonical_number({column}::DOUBLE)"
    return f"{column}::VARCHAR"


def jsonl_relation(
    reader: Any, path: Path, form: Format, copy: Path, is_used: Callable[[str], bool]
) -> Relation | None:
    """The relation of a JSONL file with the columns that are used.

    None if a line is not an object, has a key twice, or other values than texts, integers, true and false.
    """
    if form.encoding != "utf-8":
        return None
    copyfile(path, copy)
    lines_of_file = f"read_ndjson_objects({_literal(str(copy))})"
    found = reader.execute(f"SELECT DISTINCT unnest(json_keys(json)) FROM {lines_of_file}").fetchall()
    first = columns(path, form)
    names = [name for name in (*first, *sorted({name for (name,) in found} - {*first})) if is_used(name)]
    pointers = "[{}]".format(", ".join(map(_pointer, names)))
    (others,) = reader.execute(
        f"""
        SELECT count(*) FROM {lines_of_file} WHERE json_type(json) <> 'OBJECT'
            OR len(json_keys(json)) <> len(list_distinct(json_keys(json)))
            OR list_has_any(json_type(json, {pointers}), ['DOUBLE', 'OBJECT', 'ARRAY'])
        """
    ).fetchone()
    if others:
        return None
    source = f"(SELECT json_extract_string(json, {pointers}) AS cells FROM {lines_of_file})"
    return Relation(source, {name: [f"cells[{number}]"] for number, name in enumerate(names, 1)})


def _pointer(name: str) -> str:
    return _literal("/" + name.replace("~", "~0").replace("/", "~1"))


def csv_relation(path: Path, form: Format, copy: Path, check: Check) -> Relation | None:
    """The relation of a CSV file; None if it is not sure that the database reads every cell as it is.

    It takes the first line break for that of all lines, also one within a name.
    """
    names = columns(path, form)
    has_break = any("\n" in name or "\r" in name for name in names)
    if not form.quote or not form.header or has_break or not _copy_csv(path, form, copy, check):
        return None
    cells = defaultdict[str, list[str]](list)
    for index, name in enumerate(names):
        cells[name].append(f"c{index}")
    types = ", ".join(f"c{index}: 'VARCHAR'" for index in range(len(names)))
    options = (
        f"columns = {{{types}}}, delim = {_literal(form.delimiter)}, quote = {_literal(form.quote)}, "
        f"escape = {_literal(form.quote)}, comment = '', header = true, auto_detect = false, "
        "strict_mode = true"
    )
    return Relation(f"read_csv({_literal(str(copy))}, {options})", cells)


def _copy_csv(path: Path, form: Format, copy: Path, check: Check) -> bool:
    """Write the text in UTF-8; returns False for one that the database may read differently.

    It ignores spaces around quotation marks, which are an error or text, and takes a carriage return for a
    line end in some places only.
    """
    mark, ends = re.escape(form.quote), rf"[{re.escape(form.delimiter)}\r\n]"
    doubtful = re.compile(rf"{mark}[ \t]+(?:{ends}|$)|(?:^|{ends})[ \t]+{mark}")
    near = [pair for blank in " \t" for pair in (form.quote + blank, blank + form.quote)]
    with open_stream(path) as stream, copy.open("w", encoding="utf-8", newline="") as target:
        text_lines, start = iter(lines(stream, form)), True
        while block := "".join(islice(text_lines, _PART_LINES)):
            check()
            if block.count("\r") != block.count("\r\n"):
                return False
            if any(pair in block for pair in near) and doubtful.search(block):
                return False
            try:
                target.write(block.lstrip("\r\n") if start else block)
            except UnicodeEncodeError:  # bytes that are not in UTF-8
                return False
            start = start and block.isspace()
    return True


def _literal(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
