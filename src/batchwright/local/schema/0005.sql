CREATE TABLE version (                        -- the history of studies
    number INTEGER PRIMARY KEY,
    study_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    cause TEXT NOT NULL,                      -- saved, created, updated, set_up
    name TEXT NOT NULL,                       -- of the study
    digest TEXT NOT NULL,                     -- SHA-256 of the content before compression
    content BLOB NOT NULL                     -- a project file without data file and ids, compressed with zlib
) STRICT;
CREATE INDEX version_of_study ON version (study_id, number);
