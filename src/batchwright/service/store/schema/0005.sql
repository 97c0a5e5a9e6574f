-- Legacy instructions of batches without a layout, and test participants.

CREATE TABLE instruction (
    id TEXT PRIMARY KEY,
    batch INTEGER NOT NULL REFERENCES batch,
    place INTEGER NOT NULL,                   -- from 0, in the order they are asked in
    content TEXT NOT NULL,                    -- JSON object: `type`, `description` and the rest, without an id
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX instruction_by_batch ON instruction (batch, place);

CREATE TABLE test_participant (
    id TEXT PRIMARY KEY,                      -- 24 hex digits
    email TEXT NOT NULL,                      -- as it was given
    email_key TEXT NOT NULL UNIQUE,           -- the address as it is compared with others
    researcher TEXT NOT NULL,                 -- id of the account whose details it has
    password_salt BLOB NOT NULL,
    password_hash BLOB NOT NULL,              -- of a random password that nobody has read
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
