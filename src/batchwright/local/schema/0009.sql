CREATE TABLE deleted_participant (            -- participants whose data was deleted on request
    digest TEXT PRIMARY KEY,                  -- SHA-256 of the id
    deleted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
