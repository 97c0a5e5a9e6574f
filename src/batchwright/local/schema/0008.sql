CREATE TABLE task_layout (                    -- what a batch had when its tasks were created
    number INTEGER PRIMARY KEY,
    connection TEXT NOT NULL,
    source TEXT NOT NULL,                     -- batch:<id>, collection:<id>
    accepted_at INTEGER NOT NULL,
    is_assumed INTEGER NOT NULL,              -- 1 if the setup was not noticed: what the batch had when it was first fetched
    content TEXT NOT NULL REFERENCES task_layout_content (digest)
) STRICT;
CREATE INDEX task_layout_of_source ON task_layout (connection, source, number);

CREATE TABLE task_layout_content (
    digest TEXT PRIMARY KEY,                  -- SHA-256 of the content before compression
    content BLOB NOT NULL                     -- JSON: dataset_ids, pages with the ids of the service; compressed with zlib
) STRICT, WITHOUT ROWID;
