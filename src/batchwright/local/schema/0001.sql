-- Times are milliseconds since 1970, UTC. JSON columns hold JSON text. `connection` identifies a service and a token,
-- since ids are unique only within a service.

CREATE TABLE job (
    number INTEGER PRIMARY KEY,
    connection TEXT NOT NULL,
    kind TEXT NOT NULL,                       -- import, setup, export
    subject TEXT NOT NULL,                    -- JSON object: the ids needed to poll the job
    title TEXT NOT NULL,                      -- name for the user
    started_at INTEGER NOT NULL,
    looked_at INTEGER,                        -- time of the latest poll, successful or not
    state TEXT,                               -- status in the API; null before the first successful poll
    detail TEXT,                              -- JSON object: result of the latest successful poll
    trouble TEXT,                             -- why the latest poll failed; null if it did not
    ending TEXT,                              -- done, partly, paused, failed, unclear, gone; null while monitored
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
    was_made INTEGER NOT NULL,                -- 1 if this program created it, 0 if it was only listed
    first_at INTEGER NOT NULL,
    PRIMARY KEY (connection, kind, id)
) STRICT, WITHOUT ROWID;
