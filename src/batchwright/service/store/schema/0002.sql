-- The index that finds appended duplicates, and syncs.

ALTER TABLE dataset ADD COLUMN identified_count INTEGER NOT NULL DEFAULT 0; -- datapoints in the index below

CREATE TABLE datapoint_identity (
    dataset INTEGER NOT NULL REFERENCES dataset,
    digest BLOB NOT NULL,                     -- of the record, independent of the order of its keys
    PRIMARY KEY (dataset, digest)
) STRICT, WITHOUT ROWID;

ALTER TABLE batch ADD COLUMN handled_count INTEGER NOT NULL DEFAULT 0; -- datapoints that setup and syncs have processed
UPDATE batch SET handled_count = total_task_count;

CREATE TABLE sync (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    batch INTEGER NOT NULL REFERENCES batch,
    dataset INTEGER NOT NULL REFERENCES dataset,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    first_task INTEGER,                       -- number of the first task that the sync created
    first_group INTEGER,
    tasks_created INTEGER NOT NULL DEFAULT 0,
    groups_created INTEGER NOT NULL DEFAULT 0,
    groups_expanded INTEGER NOT NULL DEFAULT 0,
    reason TEXT
) STRICT;
CREATE INDEX sync_by_batch ON sync (batch, number);
CREATE INDEX batch_by_dataset ON batch (dataset);
CREATE INDEX task_group_by_key ON task_group (batch, setup, key) WHERE key IS NOT NULL;

-- Schema versions, and migrations of datapoints to them.

CREATE TABLE dataset_schema (
    dataset INTEGER NOT NULL REFERENCES dataset,
    version INTEGER NOT NULL,
    schema TEXT NOT NULL,                     -- JSON
    PRIMARY KEY (dataset, version)
) STRICT, WITHOUT ROWID;
INSERT INTO dataset_schema SELECT number, schema_version, schema FROM dataset WHERE schema IS NOT NULL;

ALTER TABLE datapoint ADD COLUMN version INTEGER NOT NULL DEFAULT 1; -- schema version of the record

CREATE TABLE datapoint_before (               -- records before they were migrated
    dataset INTEGER NOT NULL,
    position INTEGER NOT NULL,
    version INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (dataset, position, version)
) STRICT, WITHOUT ROWID;

ALTER TABLE batch ADD COLUMN live_version INTEGER; -- the schema version of the tasks of the latest setup
UPDATE batch SET live_version = 1;

CREATE TABLE migration (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    dataset INTEGER NOT NULL REFERENCES dataset,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    position INTEGER NOT NULL DEFAULT 0,      -- datapoints before it have been processed
    reprocessed_count INTEGER NOT NULL DEFAULT 0,
    failed_count INTEGER NOT NULL DEFAULT 0,
    errors TEXT NOT NULL DEFAULT '[]',        -- JSON array of {datapoint_id, field, reason}, at most 10,000
    reason TEXT
) STRICT;
CREATE INDEX migration_by_dataset ON migration (dataset, number);
