CREATE TABLE trail (                          -- work begun at a service: done again, it goes on from here
    key TEXT PRIMARY KEY,                     -- a digest of what the work is about
    steps TEXT NOT NULL,                      -- JSON object: step to what came of it
    touched_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
