-- Times are milliseconds since 1970, UTC. JSON columns hold JSON text. A status is the text of the wire reference.
-- `number` is the primary key; `id` is the id in the API.

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE dataset (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    schema TEXT,                              -- JSON, null until one is set
    schema_version INTEGER NOT NULL,
    datapoint_count INTEGER NOT NULL DEFAULT 0 -- position of the next datapoint
) STRICT;

CREATE TABLE datapoint (
    dataset INTEGER NOT NULL REFERENCES dataset,
    position INTEGER NOT NULL,                -- from 0, in order of arrival; the id is derived from it
    record TEXT NOT NULL,                     -- JSON object: schema key to normalised value
    PRIMARY KEY (dataset, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE import (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    dataset INTEGER NOT NULL REFERENCES dataset,
    filename TEXT NOT NULL,
    content_type TEXT NOT NULL,
    blob TEXT,                                -- path below the blob folder; null until the file is uploaded
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    first_position INTEGER,                   -- position of its first datapoint; a resumed import continues after the last
    accepted_count INTEGER,
    rejected_count INTEGER,
    errors TEXT,                              -- JSON array of {record_index, field, reason}, at most 1,000
    reason TEXT
) STRICT;
CREATE INDEX import_by_dataset ON import (dataset, number);

CREATE TABLE batch (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    dataset INTEGER REFERENCES dataset,
    task_details TEXT NOT NULL,               -- JSON object
    batch_items TEXT,                         -- JSON array with ids, null for a legacy batch
    auto_sync_enabled INTEGER,                -- null counts as false
    status TEXT NOT NULL,
    tasks_per_group INTEGER,                  -- of the latest setup request
    setup INTEGER NOT NULL DEFAULT 0,         -- number of setups so far; the tasks of the latest are live
    live_items TEXT,                          -- the layout of the tasks of the latest setup
    total_task_count INTEGER NOT NULL DEFAULT 0,
    total_task_groups INTEGER NOT NULL DEFAULT 0,
    annotators_per_task INTEGER NOT NULL DEFAULT 1,
    shuffle_seed INTEGER,                     -- seed for the random groups of the next setup; null for a random one
    participation_key TEXT NOT NULL           -- secret part of the participation link
) STRICT;
CREATE INDEX batch_by_workspace ON batch (workspace_id, number);

CREATE TABLE task_group (
    batch INTEGER NOT NULL REFERENCES batch,
    setup INTEGER NOT NULL,
    number INTEGER NOT NULL,                  -- from 0; its id is derived from batch, setup and number
    key TEXT,                                 -- value of the task group field; null for random groups
    task_count INTEGER NOT NULL,
    PRIMARY KEY (batch, setup, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE task (
    batch INTEGER NOT NULL REFERENCES batch,
    setup INTEGER NOT NULL,
    number INTEGER NOT NULL,                  -- from 0, in the order of the datapoints; its id is derived
    task_group INTEGER NOT NULL,
    dataset INTEGER NOT NULL,
    position INTEGER NOT NULL,                -- of the datapoint
    PRIMARY KEY (batch, setup, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_by_group ON task (batch, setup, task_group, number);

CREATE TABLE submission (
    id TEXT PRIMARY KEY,                      -- 24 random hex digits
    batch INTEGER NOT NULL REFERENCES batch,
    setup INTEGER NOT NULL,
    task_group INTEGER NOT NULL,
    participant_id TEXT NOT NULL,
    step INTEGER NOT NULL DEFAULT 0,          -- the page the participant has reached, counted over the group
    started_at INTEGER NOT NULL,
    touched_at INTEGER NOT NULL,
    completed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX submission_by_group ON submission (batch, setup, task_group);
CREATE UNIQUE INDEX submission_once ON submission (batch, setup, participant_id, task_group);

CREATE TABLE response (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    batch INTEGER NOT NULL REFERENCES batch,
    setup INTEGER NOT NULL,
    submission TEXT NOT NULL REFERENCES submission,
    task INTEGER NOT NULL,                    -- number of the task within batch and setup
    instruction_id TEXT NOT NULL,
    type TEXT NOT NULL,
    answer TEXT NOT NULL,                     -- JSON array (wire reference, 7.1)
    created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX response_once ON response (submission, task, instruction_id);
CREATE INDEX response_by_task ON response (batch, setup, task);

CREATE TABLE participant_file (
    file_key TEXT PRIMARY KEY,
    submission TEXT NOT NULL REFERENCES submission,
    blob TEXT NOT NULL,                       -- path below the blob folder; does not depend on the file name
    file_name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE export (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    batch INTEGER NOT NULL REFERENCES batch,
    status TEXT NOT NULL,
    blob TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX export_by_batch ON export (batch, number);

CREATE TABLE feedback (
    number INTEGER PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    filename TEXT NOT NULL,
    blob TEXT,                                -- null until the file is uploaded
    size INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE preview (
    id TEXT PRIMARY KEY,                      -- random
    page TEXT NOT NULL,                       -- JSON: layout, schema, record
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE job (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,                       -- import, setup, export
    lane TEXT NOT NULL,                       -- jobs of a lane run one after another; for example `dataset 3`
    subject INTEGER NOT NULL,                 -- number of the import, batch or export
    detail TEXT NOT NULL,                     -- JSON object: parameters of the request, as of its acceptance
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, subject)
) STRICT;
