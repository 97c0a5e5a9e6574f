-- What an append compares with, and the tasks that a sync adds to those of a setup.

ALTER TABLE dataset ADD COLUMN identified_count INTEGER NOT NULL DEFAULT 0; -- datapoints in the identity index

CREATE TABLE datapoint_identity (
    dataset INTEGER NOT NULL REFERENCES dataset,
    digest BLOB NOT NULL,                     -- of the record, however its keys are ordered
    PRIMARY KEY (dataset, digest)
) STRICT, WITHOUT ROWID;

ALTER TABLE batch ADD COLUMN handled_count INTEGER NOT NULL DEFAULT 0; -- datapoints that setup and syncs have seen
UPDATE batch SET handled_count = total_task_count;

CREATE TABLE sync (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    batch INTEGER NOT NULL REFERENCES batch,
    dataset INTEGER NOT NULL REFERENCES dataset,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    first_task INTEGER,                       -- the tasks and groups before it are those that it found
    first_group INTEGER,
    tasks_created INTEGER NOT NULL DEFAULT 0,
    groups_created INTEGER NOT NULL DEFAULT 0,
    groups_expanded INTEGER NOT NULL DEFAULT 0,
    reason TEXT
) STRICT;
CREATE INDEX sync_by_batch ON sync (batch, number);
CREATE INDEX batch_by_dataset ON batch (dataset);
CREATE INDEX task_group_by_key ON task_group (batch, setup, key) WHERE key IS NOT NULL;
