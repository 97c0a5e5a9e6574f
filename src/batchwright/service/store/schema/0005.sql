-- Legacy instructions of batches without a layout, and test participants.

CREATE TABLE instruction (
    id TEXT PRIMARY KEY,
    batch INTEGER NOT NULL REFERENCES batch,
    place INTEGER NOT NULL,                   -- index on the page, from 0
    content TEXT NOT NULL,                    -- JSON object: `type`, `description` and the rest, without an id
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX instruction_by_batch ON instruction (batch, place);

CREATE TABLE test_participant (
    id TEXT PRIMARY KEY,                      -- 24 hex digits
    email TEXT NOT NULL,                      -- as entered
    email_key TEXT NOT NULL UNIQUE,           -- normalised address for comparisons
    researcher TEXT NOT NULL,                 -- id of the account whose details it has
    password_salt BLOB NOT NULL,
    password_hash BLOB NOT NULL,              -- of a random password that is never shown
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
