"""The SQL of the answer store: its tables, how a page of records is added to them, and its functions.

Ids that repeat are stored once in `participants`, `tasks` and `instructions`, numbered by first appearance.
An answer names an instruction; which question that is depends on the time of the answer (`wordings`).
"""

from batchwright.analysis.store.layout_versions import FIRST, LAST

_BLANKS = "".join(character for character in map(chr, range(0x3001)) if character.isspace())
"""The white space that `str.strip` removes."""

_SINCE_YEAR_0 = 62_167_219_200_000
"""Milliseconds from year 0 to 1970: integer division rounds towards zero, also for earlier years."""
_EARLIEST, _LATEST = -62_135_596_800_000, 253_402_300_799_999
"""The first and the last millisecond of the years 1 to 9999, in milliseconds since 1970."""

TABLES = f"""
CREATE MACRO json_text(value) AS CASE WHEN value IS NULL THEN NULL ELSE coalesce(value ->> '$', 'null') END;
CREATE MACRO json_kind(value) AS CASE json_type(value)
    WHEN 'VARCHAR' THEN 'text'
    WHEN 'BOOLEAN' THEN 'boolean'
    WHEN 'UBIGINT' THEN 'number'
    WHEN 'BIGINT' THEN 'number'
    WHEN 'DOUBLE' THEN 'number'
    ELSE ''
END;
CREATE MACRO canonical_number(number) AS CASE
    WHEN number = trunc(number) AND abs(number) < 1e38 THEN TRY_CAST(number AS HUGEINT)::VARCHAR
    ELSE number::VARCHAR
END;
CREATE MACRO canonical(kind, value) AS CASE
    WHEN kind = 'text' THEN value
    WHEN kind = 'number' AND regexp_full_match(value, '-?[0-9]+') THEN value
    WHEN kind = 'number' THEN canonical_number(TRY_CAST(value AS DOUBLE))
    WHEN kind = 'boolean' THEN value
    ELSE ''
END;
CREATE MACRO finite(number) AS CASE WHEN isfinite(number) THEN number END;
CREATE MACRO typed_number(value) AS CASE
    WHEN regexp_full_match(trim(value, '{_BLANKS}'), '[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?')
    THEN finite(TRY_CAST(trim(value, '{_BLANKS}') AS DOUBLE))
END;
CREATE MACRO in_calendar(time) AS CASE WHEN time BETWEEN {_EARLIEST} AND {_LATEST} THEN time END;
CREATE MACRO milliseconds(value) AS in_calendar(CASE
    WHEN value[1] BETWEEN '0' AND '9'
    THEN (epoch_us(TRY_CAST(value AS TIMESTAMPTZ)) + 500 + 1000 * {_SINCE_YEAR_0}) // 1000 - {_SINCE_YEAR_0}
END);

CREATE TABLE participants (number INTEGER, id VARCHAR);
CREATE TABLE tasks (number INTEGER, id VARCHAR, datapoint VARCHAR);
CREATE TABLE instructions (number INTEGER, id VARCHAR);
CREATE TABLE questions (number INTEGER, id VARCHAR, place INTEGER, is_number BOOLEAN);
CREATE TABLE wordings (instruction INTEGER, question INTEGER, since BIGINT, until BIGINT);
CREATE TABLE options (
    question INTEGER, "index" INTEGER, kind VARCHAR, value VARCHAR, label VARCHAR, amount DOUBLE
);
CREATE TABLE fields (number INTEGER, name VARCHAR);
CREATE TABLE field_values (task INTEGER, field INTEGER, value VARCHAR);
CREATE TABLE answers (
    number INTEGER, id VARCHAR, participant INTEGER, task INTEGER, instruction INTEGER, question INTEGER,
    time BIGINT, digest UBIGINT, amount DOUBLE, text VARCHAR
);
CREATE TABLE entries (
    answer INTEGER, question INTEGER, place INTEGER, kind VARCHAR, value VARCHAR, unit VARCHAR,
    explanation VARCHAR, file VARCHAR, file_key VARCHAR, content_type VARCHAR, "option" INTEGER, amount DOUBLE
);
CREATE TABLE excluded_participants (id VARCHAR, reason VARCHAR);
CREATE TABLE excluded_answers (id VARCHAR, reason VARCHAR);

CREATE VIEW page_times AS
WITH ends AS (
    SELECT participant, task, max(time) AS time FROM answers WHERE time IS NOT NULL GROUP BY ALL
)
SELECT participant, task,
    (time - lag(time) OVER (PARTITION BY participant ORDER BY time, task)) / 1000 AS seconds
FROM ends;

CREATE VIEW exclusions AS
SELECT a.number AS answer, coalesce(nullif(by_answer.reason, ''), by_participant.reason) AS reason
FROM answers a
JOIN participants p ON p.number = a.participant
LEFT JOIN excluded_participants by_participant ON by_participant.id = p.id
LEFT JOIN excluded_answers by_answer ON by_answer.id = a.id
WHERE coalesce(nullif(by_answer.reason, ''), by_participant.reason, '') <> '';
"""

_RECORD = (
    '"id":"VARCHAR","participant_id":"VARCHAR","task_id":"VARCHAR","created_at":"VARCHAR","metadata":"JSON",'
    '"response":{"instruction_id":"VARCHAR","answer":["JSON"]}'
)
LISTS = ("results", "responses", "data")
"""Keys under which a list of records may be in a JSON object."""
_LISTS = ",".join(
    ['"task_id":"VARCHAR","datapoint":"JSON"', *(f'"{name}":[{{{_RECORD}}}]' for name in LISTS)]
)

READ_PAGE = f"""
CREATE OR REPLACE TEMP TABLE page AS
WITH single AS (
    SELECT number, 0 AS place, NULL AS listed_task, NULL AS datapoint,
        from_json(line, '{{{_RECORD}}}') AS record
    FROM lines
),
lists AS (
    SELECT number, from_json(line, '{{{_LISTS}}}') AS line FROM lines
    WHERE number IN (SELECT number FROM single WHERE record.response IS NULL)
),
listed AS (
    SELECT number, line.task_id, line.datapoint,
        coalesce({", ".join(f"line.{name}" for name in LISTS)}) AS records
    FROM lists
),
records AS (
    FROM single
    UNION ALL
    SELECT number, generate_subscripts(records, 1) AS place, task_id, datapoint, unnest(records) FROM listed
)
SELECT (number << 24) + place AS number,
    nullif(record.id, '') AS id,
    coalesce(record.participant_id, '') AS participant,
    coalesce(record.task_id, '') AS task,
    coalesce(record.response.instruction_id, '') AS instruction,
    milliseconds(record.created_at) AS time,
    coalesce(CASE WHEN listed_task = record.task_id THEN datapoint END, record.metadata) AS datapoint,
    record.response.answer AS entries,
    hash(record.response.answer) AS digest
FROM records
WHERE record.response.instruction_id IS NOT NULL OR record.response.answer IS NOT NULL
"""
"""Parses the JSON texts in `lines`: records, or objects with a list of records; omits what is neither."""


def _add_ids(table: str, column: str, values: str) -> str:
    """SQL that adds the ids in a column of `new_answers` that are new, in order."""
    return f"""
INSERT INTO {table}
SELECT (SELECT count(*) FROM {table}) + row_number() OVER (ORDER BY first) - 1, {values}
FROM (SELECT {column} AS id, min(number) AS first FROM new_answers GROUP BY {column})
ANTI JOIN (SELECT t.id FROM {table} t SEMI JOIN new_answers n ON n.{column} = t.id) USING (id);
"""


_RECORD_ENTRIES = """
    SELECT answer, question, place, json_kind(json_value) AS kind, json_text(json_value) AS value,
        parts[2] ->> '$' AS unit, parts[3] ->> '$' AS explanation,
        CASE WHEN parts[4] ->> '$' IS NOT NULL
            THEN coalesce(nullif(parts[5] ->> '$', ''), parts[4] ->> '$')
        END AS file,
        parts[4] ->> '$' AS file_key, parts[6] ->> '$' AS content_type
    FROM (
        SELECT *, CASE WHEN json_type(entry) = 'OBJECT' THEN parts[1] ELSE entry END AS json_value
        FROM (
            SELECT n.number AS answer, q.question, p.place, coalesce(p.entry, 'null') AS entry,
                json_extract(p.entry, [
                    'value', 'unit', 'explanation', 'file_key', 'file_name', 'content_type'
                ]) AS parts
            FROM (
                SELECT number, unnest(entries) AS entry, generate_subscripts(entries, 1) AS place FROM page
            ) p
            JOIN new_answers n ON n.line = p.number
            JOIN new_questions q ON q.answer = n.number
        )
    )
"""
"""The entries of new answers in `page`, as they were given."""


def _entries(source: str) -> str:
    """SQL that assigns options, numbers and texts to entries; the text is the last column."""
    return f"""
SELECT r.answer, r.question, r.place, r.kind, r.value, r.unit, r.explanation, r.file, r.file_key,
    r.content_type, o."index" AS "option",
    CASE WHEN o."index" IS NOT NULL THEN o.amount WHEN q.is_number THEN typed_number(r.value) END AS amount,
    coalesce(
        r.file, concat(coalesce(o.label, r.value), ' ' || r.unit, ': ' || nullif(r.explanation, ''))
    ) AS text
FROM ({source}) r
JOIN questions q ON q.number = r.question
LEFT JOIN options o
    ON o.question = r.question AND o.kind = r.kind AND o.value = canonical(r.kind, coalesce(r.value, ''))
"""


_TEXTS = """
    SELECT e.answer, e.amount, coalesce(s.text, e.text) AS text
    FROM new_entries e LEFT JOIN (
        SELECT answer, string_agg(text, ', ' ORDER BY place) AS text
        FROM new_entries SEMI JOIN (SELECT answer FROM new_entries WHERE place = 2) USING (answer)
        GROUP BY answer
    ) s ON s.answer = e.answer
    WHERE e.place = 1
"""
"""The text and the first number of each answer that has entries."""

_IS_AT_TIME = f"coalesce(n.time, {LAST - 1}) >= w.since AND coalesce(n.time, {LAST - 1}) < w.until"
"""Whether a wording in `w` is that of an answer in `n`; one without a time has the newest wording."""

_NUMBER = f"""
CREATE OR REPLACE TEMP TABLE known_answers AS
SELECT a.id, a.digest FROM answers a SEMI JOIN page p ON p.id = a.id;
CREATE OR REPLACE TEMP TABLE new_answers AS
WITH unknown AS (
    SELECT min(number) AS line FROM page
    WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM known_answers) GROUP BY id
    UNION ALL SELECT number FROM page WHERE id IS NULL
),
numbered AS (
    SELECT line, (SELECT count(*) FROM answers) + row_number() OVER (ORDER BY line) - 1 AS number
    FROM unknown
)
SELECT n.number, n.line, p.id, p.participant, p.task, p.instruction, p.time, p.digest
FROM page p JOIN numbered n ON n.line = p.number;

{_add_ids("participants", "participant", "id")}
{_add_ids("tasks", "task", "id, id")}
{_add_ids("instructions", "instruction", "id")}
CREATE OR REPLACE TEMP TABLE unknown_questions AS
SELECT (SELECT count(*) FROM questions) + row_number() OVER (ORDER BY i.number) - 1 AS number, i.id,
    i.number AS instruction
FROM instructions i ANTI JOIN wordings w ON w.instruction = i.number;
INSERT INTO questions SELECT number, id, 2147483647, false FROM unknown_questions;
INSERT INTO wordings SELECT instruction, number, {FIRST}, {LAST} FROM unknown_questions;

CREATE OR REPLACE TEMP TABLE new_questions AS
SELECT n.number AS answer, i.number AS instruction, w.question
FROM new_answers n JOIN instructions i ON i.id = n.instruction
JOIN wordings w ON w.instruction = i.number AND {_IS_AT_TIME};
"""
"""Numbers the records of `page` whose ids are new, their participants, tasks, instructions and questions."""

_RECORD_VALUES = """
CREATE OR REPLACE TEMP TABLE new_values AS
SELECT d.task, j.id AS place, j.key AS name, j.value ->> '$' AS value
FROM (
    SELECT t.number AS task, p.datapoint
    FROM (
        SELECT n.task AS id, min(p.number) AS number FROM page p JOIN new_answers n ON n.line = p.number
        WHERE starts_with(p.datapoint::VARCHAR, '{"') GROUP BY n.task
    ) c
    JOIN page p ON p.number = c.number
    JOIN tasks t ON t.id = c.id
    ANTI JOIN field_values v ON v.task = t.number
) d, json_each(d.datapoint) j
WHERE j.type <> 'NULL';
"""
"""The values of fields in the datapoints of `page`, for tasks that have none."""


_ID = "coalesce(n.id, 'row ' || (n.number + 1))"
"""The id of an answer in `n`, which may have none of its own."""


def _append(entries: str, values: str = "") -> str:
    """SQL that adds the answers of `page` with their entries, and the values of fields to `new_values`."""
    return f"""
{_NUMBER}
CREATE OR REPLACE TEMP TABLE new_entries AS {_entries(entries)};
INSERT INTO entries SELECT * EXCLUDE (text) FROM new_entries ORDER BY answer, place;
{values}
INSERT INTO answers
SELECT n.number, {_ID}, p.number, t.number, q.instruction, q.question,
    n.time, n.digest, x.amount, coalesce(x.text, '')
FROM new_answers n
JOIN participants p ON p.id = n.participant
JOIN tasks t ON t.id = n.task
JOIN new_questions q ON q.answer = n.number
LEFT JOIN ({_TEXTS}) x ON x.answer = n.number
ORDER BY n.number;
"""


APPEND = _append(_RECORD_ENTRIES, _RECORD_VALUES)
"""Adds the records of `page`."""


def append_rows(start: int, stop: int) -> str:
    """SQL that adds the answers whose first rows are in a range of `table_rows`.

    Rows in `joined_rows` belong to the answer of their first row; those in `other_answers` have no id.
    """
    return f"""
CREATE OR REPLACE TEMP VIEW page AS
SELECT row AS number, CASE WHEN row NOT IN (FROM other_answers) THEN answer END AS id,
    coalesce(participant, '') AS participant, coalesce(task, '') AS task,
    coalesce(question, '') AS instruction, milliseconds(answered_at) AS time, NULL::UBIGINT AS digest
FROM table_rows r ANTI JOIN (SELECT row FROM joined_rows WHERE row <> first) USING (row)
WHERE r.row >= {start} AND r.row < {stop};
""" + _append(f"""
    SELECT n.number AS answer, q.question, coalesce(j.place, 1)::INTEGER AS place,
        CASE WHEN r.value IS NULL THEN '' ELSE 'text' END AS kind, r.value, r.unit, r.explanation, r.file,
        r.file AS file_key, NULL::VARCHAR AS content_type
    FROM (
        FROM table_rows WHERE row >= {start} AND row < {stop}
        UNION ALL
        FROM table_rows WHERE row IN (SELECT row FROM joined_rows WHERE row >= {stop} AND first < {stop})
    ) r
    LEFT JOIN joined_rows j ON j.row = r.row
    JOIN new_answers n ON n.line = coalesce(j.first, r.row)
    JOIN new_questions q ON q.answer = n.number
    WHERE coalesce(r.value, r.unit, r.explanation, r.file) IS NOT NULL
""")


EXCLUDED_ROWS = f"""
SELECT {_ID}, arg_max(r.excluded, r.row)
FROM table_rows r LEFT JOIN joined_rows j USING (row) JOIN new_answers n ON n.line = coalesce(j.first, r.row)
WHERE lower(trim(r.excluded)) NOT IN (SELECT unnest($1::VARCHAR[]))
GROUP BY n.number, n.id ORDER BY n.number
"""
"""The ids of new answers in `table_rows` that are excluded, and the reasons; some texts are no reason."""


def row_values(fields: int) -> str:
    """SQL that reads the values of fields in `table_rows`: `f0`, `f1` and so on, named in `table_fields`.

    A task has the values of the first row that has any.
    """
    columns = ", ".join(f"f{number}" for number in range(fields))
    return f"""
CREATE OR REPLACE TEMP TABLE new_values AS
SELECT v.task, f.place, f.name, v.value
FROM (
    SELECT t.number AS task, unnest([{columns}]) AS value, unnest(range({fields})) AS place
    FROM (
        SELECT coalesce(task, '') AS id, min(row) AS row FROM table_rows
        WHERE coalesce({columns}) IS NOT NULL GROUP BY 1
    ) c
    JOIN table_rows r ON r.row = c.row
    JOIN tasks t ON t.id = c.id
) v
JOIN table_fields f ON f.place = v.place
WHERE v.value IS NOT NULL;
"""


ADD_FIELDS = """
INSERT INTO fields
SELECT (SELECT count(*) FROM fields) + row_number() OVER (ORDER BY first) - 1, name
FROM (SELECT name, min((task, place)) AS first FROM new_values GROUP BY name)
WHERE name NOT IN (SELECT name FROM fields);
INSERT INTO field_values
SELECT v.task, f.number, v.value FROM new_values v JOIN fields f ON f.name = v.name ORDER BY v.task, f.number;
"""
"""Adds the values of the dataset's fields in `new_values`."""

_OF_ENTRIES = """
    SELECT e.* REPLACE (q.question AS question) FROM entries e JOIN new_questions q ON q.answer = e.answer
"""

RESOLVE = f"""
CREATE OR REPLACE TEMP TABLE new_questions AS
SELECT n.number AS answer, w.question
FROM answers n JOIN wordings w ON w.instruction = n.instruction AND {_IS_AT_TIME};
CREATE OR REPLACE TEMP TABLE new_entries AS {_entries(_OF_ENTRIES)};
CREATE OR REPLACE TABLE entries AS SELECT * EXCLUDE (text) FROM new_entries ORDER BY answer, place;
CREATE OR REPLACE TABLE answers AS
SELECT a.number, a.id, a.participant, a.task, a.instruction, q.question, a.time, a.digest, x.amount,
    coalesce(x.text, '') AS text
FROM answers a JOIN new_questions q ON q.answer = a.number LEFT JOIN ({_TEXTS}) x ON x.answer = a.number
ORDER BY a.number;
"""
"""Assigns questions, options, numbers and texts again, after the questions have changed."""

ANSWERED_QUESTIONS = "SELECT id FROM questions WHERE number IN (SELECT question FROM answers)"

HAS_OTHER_ANSWERS = """
SELECT count(*) > 0 FROM page p JOIN known_answers k ON k.id = p.id WHERE k.digest <> p.digest
"""
"""Whether a record of `page` that was stored before has another answer now."""

_NEW = ("known_answers", "new_answers", "unknown_questions", "new_questions", "new_entries", "new_values")
DROP_PAGE = "".join(f"DROP TABLE IF EXISTS temp.{name};" for name in ("page", *_NEW))
DROP_ROWS = "DROP VIEW IF EXISTS temp.page; DROP VIEW temp.table_rows;" + "".join(
    f"DROP TABLE IF EXISTS temp.{name};"
    for name in ("cells", "row_groups", "joined_rows", "other_answers", "table_fields", *_NEW)
)

SET_FIELDS = """
DELETE FROM field_values WHERE task IN (SELECT t.number FROM tasks t JOIN given_tasks g ON g.id = t.id);
CREATE OR REPLACE TEMP TABLE new_values AS
SELECT t.number AS task, v.place, v.name, v.value FROM given_values v JOIN tasks t ON t.id = v.task;
UPDATE tasks SET datapoint = d.datapoint FROM given_datapoints d WHERE d.id = tasks.id;
"""
"""Replaces the fields of `given_tasks` by `given_values`, and the datapoints by `given_datapoints`."""

ROWS = """
WITH chosen AS (SELECT * FROM answers WHERE number IN (SELECT unnest($1::INTEGER[]))),
ends AS (
    SELECT participant, task, max(time) AS time FROM answers
    WHERE time IS NOT NULL AND participant IN (SELECT participant FROM chosen) GROUP BY ALL
),
times AS (
    SELECT participant, task,
        (time - lag(time) OVER (PARTITION BY participant ORDER BY time, task)) / 1000 AS seconds
    FROM ends
)
SELECT a.number, a.id, p.id, t.id, t.datapoint, a.text, a.time, s.seconds,
    coalesce(nullif(by_answer.reason, ''), by_participant.reason), q.id, a.task
FROM chosen a
JOIN participants p ON p.number = a.participant
JOIN tasks t ON t.number = a.task
JOIN questions q ON q.number = a.question
LEFT JOIN times s ON s.participant = a.participant AND s.task = a.task
LEFT JOIN excluded_participants by_participant ON by_participant.id = p.id
LEFT JOIN excluded_answers by_answer ON by_answer.id = a.id
"""
ENTRIES = """
SELECT e.answer, e."option", o.label, e.value, e.amount, e.unit, e.explanation, e.file, e.file_key,
    e.content_type
FROM entries e LEFT JOIN options o ON o.question = e.question AND o."index" = e."option"
WHERE e.answer IN (SELECT unnest($1::INTEGER[])) ORDER BY e.answer, e.place
"""
FIELDS = """
SELECT v.task, f.name, v.value FROM field_values v JOIN fields f ON f.number = v.field
WHERE v.task IN (SELECT unnest($1::INTEGER[])) ORDER BY v.task, v.field
"""
