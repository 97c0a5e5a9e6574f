-- Times are milliseconds since 1970, UTC. JSON columns hold JSON text. `connection` names a service and a token:
-- the same id at two services means two things.

CREATE TABLE job (
    number INTEGER PRIMARY KEY,
    connection TEXT NOT NULL,
    kind TEXT NOT NULL,                       -- import, setup, export
    subject TEXT NOT NULL,                    -- JSON object: the ids that a look at the job needs
    title TEXT NOT NULL,                      -- what people know it by
    started_at INTEGER NOT NULL,
    looked_at INTEGER,                        -- the latest look, whether it succeeded or not
    state TEXT,                               -- the service's own word, null before the first sight
    detail TEXT,                              -- JSON object: what the latest sight told
    trouble TEXT,                             -- why the latest look failed, null when it did not
    ending TEXT,                              -- done, partly, paused, failed, unclear, gone; null while watched
    ended_at INTEGER
) STRICT;
CREATE INDEX job_open ON job (number) WHERE ending IS NULL;

CREATE TABLE known (
    connection TEXT NOT NULL,
    kind TEXT NOT NULL,                       -- dataset, batch, collection, import, export
    id TEXT NOT NULL,
    workspace_id TEXT,
    parent_id TEXT,                           -- the dataset of an import, the batch of an export
    name TEXT NOT NULL,
    was_made INTEGER NOT NULL,                -- 1 when this program made it, 0 when it was only seen
    first_at INTEGER NOT NULL,
    PRIMARY KEY (connection, kind, id)
) STRICT, WITHOUT ROWID;
