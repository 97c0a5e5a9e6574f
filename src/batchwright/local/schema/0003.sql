CREATE TABLE trail (                          -- progress of an interrupted operation, from which it resumes
    key TEXT PRIMARY KEY,                     -- a digest of the parameters of the operation
    steps TEXT NOT NULL,                      -- JSON object: results by step
    touched_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
