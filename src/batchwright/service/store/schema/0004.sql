-- Collections. What participants see of one, and what they answer, hangs on a row of `batch` with the same id.

ALTER TABLE batch ADD COLUMN is_collection INTEGER NOT NULL DEFAULT 0;

CREATE TABLE collection (
    batch INTEGER PRIMARY KEY REFERENCES batch,
    collection_items TEXT NOT NULL,           -- JSON array of pages with ids, as answers show it
    last_modified_at INTEGER,                 -- null before the first update
    last_modified_by TEXT
) STRICT;
