ALTER TABLE job ADD COLUMN is_watched INTEGER NOT NULL DEFAULT 1;  -- 0 if the user stopped monitoring it
ALTER TABLE job ADD COLUMN is_listed INTEGER NOT NULL DEFAULT 1;   -- 0 if the user removed it from the list

CREATE TABLE sent_file (
    number INTEGER PRIMARY KEY,
    connection TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,                    -- bytes
    sent_at INTEGER NOT NULL
) STRICT;
