-- What was deleted on request: proof for a participant who asked for it, without the id itself.

CREATE TABLE deletion (
    number INTEGER PRIMARY KEY,
    digest TEXT,                              -- SHA-256 of the participant's id; null if studies were deleted
    study_id TEXT,                            -- the only study concerned; null for all
    deleted_at INTEGER NOT NULL,
    studies INTEGER NOT NULL,                 -- numbers of what was deleted
    participants INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    files INTEGER NOT NULL
) STRICT;

CREATE INDEX participant_file_by_submission ON participant_file (submission);
