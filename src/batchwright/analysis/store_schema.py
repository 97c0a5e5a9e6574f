"""The SQL of the answer store: its tables, how a page of records is added to them, and its functions.

Ids that repeat are stored once in `participants`, `tasks` and `questions`, numbered by first appearance.
"""

_BLANKS = "".join(character for character in map(chr, range(0x3001)) if character.isspace())
"""The white space that `str.strip` removes."""

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
CREATE MACRO milliseconds(value) AS CASE
    WHEN value[1] BETWEEN '0' AND '9'
    THEN (epoch_us(TRY_CAST(value AS TIMESTAMPTZ)) + 500) // 1000
END;

CREATE TABLE participants (number INTEGER, id VARCHAR);
CREATE TABLE tasks (number INTEGER, id VARCHAR, datapoint VARCHAR);
CREATE TABLE questions (number INTEGER, id VARCHAR, place INTEGER, is_number BOOLEAN);
CREATE TABLE options (
    question INTEGER, "index" INTEGER, kind VARCHAR, value VARCHAR, label VARCHAR, amount DOUBLE
);
CREATE TABLE fields (number INTEGER, name VARCHAR);
CREATE TABLE field_values (task INTEGER, field INTEGER, value VARCHAR);
CREATE TABLE answers (
    number INTEGER, id VARCHAR, participant INTEGER, task INTEGER, question INTEGER, time BIGINT,
    amount DOUBLE, text VARCHAR
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
_LISTS = ("results", "responses", "data")
"""Keys under which a list of records may be in a JSON object."""
_LINE = ",".join([_RECORD, '"datapoint":"JSON"', *(f'"{name}":[{{{_RECORD}}}]' for name in _LISTS)])

READ_PAGE = f"""
CREATE OR REPLACE TEMP TABLE page AS
WITH parsed AS (SELECT number, from_json(line, '{{{_LINE}}}') AS line FROM lines),
listed AS (
    SELECT number, line.task_id, line.datapoint,
        coalesce({", ".join(f"line.{name}" for name in _LISTS)}, [struct_pack(
            id := line.id, participant_id := line.participant_id, task_id := line.task_id,
            created_at := line.created_at, metadata := line.metadata, response := line.response
        )]) AS records
    FROM parsed
),
records AS (
    SELECT number, task_id, datapoint, unnest(records) AS record, generate_subscripts(records, 1) AS place
    FROM listed
)
SELECT row_number() OVER (ORDER BY number, place) AS number,
    nullif(record.id, '') AS id,
    coalesce(record.participant_id, '') AS participant,
    coalesce(record.task_id, '') AS task,
    coalesce(record.response.instruction_id, '') AS question,
    milliseconds(record.created_at) AS time,
    coalesce(CASE WHEN task_id = record.task_id THEN datapoint END, record.metadata) AS datapoint,
    record.response.answer AS entries
FROM records WHERE record.response IS NOT NULL
"""
"""Parses the JSON texts in `lines`: records, or objects with a list of records."""


def _add_names(table: str, column: str, values: str) -> str:
    """Return SQL that adds the new texts of a column of `new_answers`, in order, with default values."""
    return f"""
INSERT INTO {table}
SELECT (SELECT count(*) FROM {table}) + row_number() OVER (ORDER BY first) - 1, {values}
FROM (SELECT {column} AS id, min(number) AS first FROM new_answers GROUP BY {column})
WHERE id NOT IN (SELECT id FROM {table});
"""


def _entries(source: str) -> str:
    """Return SQL that assigns the options and numbers to entries."""
    return f"""
SELECT r.answer, r.question, r.place, r.kind, r.value, r.unit, r.explanation, r.file, r.file_key,
    r.content_type, o."index" AS "option",
    CASE WHEN o."index" IS NOT NULL THEN o.amount WHEN q.is_number THEN typed_number(r.value) END AS amount
FROM {source} r
JOIN questions q ON q.number = r.question
LEFT JOIN options o
    ON o.question = r.question AND o.kind = r.kind AND o.value = canonical(r.kind, coalesce(r.value, ''))
"""


def _texts(source: str) -> str:
    """Return SQL with the text and the first number of each answer that has entries."""
    return f"""
SELECT e.answer, arg_min(e.amount, e.place) AS amount, string_agg(
    coalesce(e.file, concat(
        coalesce(o.label, e.value), ' ' || e.unit, ': ' || nullif(e.explanation, '')
    )), ', ' ORDER BY e.place
) AS text
FROM {source} e LEFT JOIN options o ON o.question = e.question AND o."index" = e."option"
GROUP BY e.answer
"""


SELECT_NEW = """
CREATE OR REPLACE TEMP TABLE new_answers AS
WITH unknown AS (
    SELECT * FROM page p
    WHERE id IS NULL OR id NOT IN (SELECT id FROM answers)
    QUALIFY id IS NULL OR row_number() OVER (PARTITION BY id ORDER BY p.number) = 1
)
SELECT (SELECT count(*) FROM answers) + row_number() OVER (ORDER BY p.number) - 1 AS number,
    id, participant, task, question, time, datapoint, entries
FROM unknown p
"""
"""Selects the records of the page whose ids are new."""

APPEND = f"""
{_add_names("participants", "participant", "id")}
{_add_names("tasks", "task", "id, id")}
{_add_names("questions", "question", "id, 2147483647, false")}

CREATE OR REPLACE TEMP TABLE raw_entries AS
WITH listed AS (
    SELECT n.number AS answer, q.number AS question, unnest(n.entries) AS entry,
        generate_subscripts(n.entries, 1) AS place
    FROM new_answers n JOIN questions q ON q.id = n.question
),
extracted AS (
    SELECT answer, question, place,
        json_type(coalesce(entry, 'null')) = 'OBJECT' AS is_object, coalesce(entry, 'null') AS entry,
        json_extract(entry, ['value', 'unit', 'explanation', 'file_key', 'file_name', 'content_type'])
            AS parts
    FROM listed
),
valued AS (
    SELECT *, CASE WHEN is_object THEN parts[1] ELSE entry END AS json_value FROM extracted
)
SELECT answer, question, place, json_kind(json_value) AS kind, json_text(json_value) AS value,
    parts[2] ->> '$' AS unit, parts[3] ->> '$' AS explanation,
    CASE WHEN parts[4] ->> '$' IS NOT NULL THEN coalesce(nullif(parts[5] ->> '$', ''), parts[4] ->> '$') END
        AS file,
    parts[4] ->> '$' AS file_key, parts[6] ->> '$' AS content_type
FROM valued;

CREATE OR REPLACE TEMP TABLE new_entries AS {_entries("raw_entries")};
INSERT INTO entries SELECT * FROM new_entries ORDER BY answer, place;

INSERT INTO answers
SELECT n.number, coalesce(n.id, 'row ' || (n.number + 1)), p.number, t.number, q.number, n.time, x.amount,
    coalesce(x.text, '')
FROM new_answers n
JOIN participants p ON p.id = n.participant
JOIN tasks t ON t.id = n.task
JOIN questions q ON q.id = n.question
LEFT JOIN ({_texts("new_entries")}) x ON x.answer = n.number
ORDER BY n.number;

CREATE OR REPLACE TEMP TABLE described AS
SELECT t.number AS task, arg_min(n.datapoint, n.number) AS datapoint
FROM new_answers n JOIN tasks t ON t.id = n.task
WHERE json_type(n.datapoint) = 'OBJECT' AND n.datapoint::VARCHAR <> '{{}}'
    AND t.number NOT IN (SELECT task FROM field_values)
GROUP BY t.number;
CREATE OR REPLACE TEMP TABLE new_values AS
SELECT d.task, j.id AS place, j.key AS name, j.value ->> '$' AS value
FROM described d, json_each(d.datapoint) j WHERE j.type <> 'NULL';
"""
"""Adds `new_answers` to the tables, except their fields, which are in `new_values`."""

ADD_FIELDS = """
INSERT INTO fields
SELECT (SELECT count(*) FROM fields) + row_number() OVER (ORDER BY first) - 1, name
FROM (SELECT name, min((task, place)) AS first FROM new_values GROUP BY name)
WHERE name NOT IN (SELECT name FROM fields);
INSERT INTO field_values
SELECT v.task, f.number, v.value FROM new_values v JOIN fields f ON f.name = v.name ORDER BY v.task, f.number;
"""
"""Adds the values of the dataset's fields in `new_values`."""

RESOLVE = f"""
CREATE OR REPLACE TABLE entries AS {_entries("entries")} ORDER BY answer, place;
CREATE OR REPLACE TABLE answers AS
SELECT a.number, a.id, a.participant, a.task, a.question, a.time, x.amount, coalesce(x.text, '') AS text
FROM answers a LEFT JOIN ({_texts("entries")}) x ON x.answer = a.number
ORDER BY a.number;
"""
"""Assigns options, numbers and texts again, after the questions have changed."""

DROP_PAGE = "".join(
    f"DROP TABLE IF EXISTS temp.{name};"
    for name in ("page", "new_answers", "raw_entries", "new_entries", "described", "new_values")
)

SET_FIELDS = """
DELETE FROM field_values WHERE task IN (SELECT t.number FROM tasks t JOIN given_tasks g ON g.id = t.id);
CREATE OR REPLACE TEMP TABLE new_values AS
SELECT t.number AS task, v.place, v.name, v.value FROM given_values v JOIN tasks t ON t.id = v.task;
UPDATE tasks SET datapoint = d.datapoint FROM given_datapoints d WHERE d.id = tasks.id;
"""
"""Replaces the fields of `given_tasks` by `given_values`, and the datapoints by `given_datapoints`."""

ROWS = """
WITH chosen AS (SELECT * FROM answers WHERE number IN (SELECT unnest($1::INTEGER[])))
SELECT a.number, a.id, p.id, t.id, t.datapoint, a.text, a.time, s.seconds, x.reason, q.id, a.task
FROM chosen a
JOIN participants p ON p.number = a.participant
JOIN tasks t ON t.number = a.task
JOIN questions q ON q.number = a.question
LEFT JOIN page_times s ON s.participant = a.participant AND s.task = a.task
LEFT JOIN exclusions x ON x.answer = a.number
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
