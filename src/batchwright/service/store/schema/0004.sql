-- Collections. Each has a row in `batch` with the same id, to which its layout and responses belong.

ALTER TABLE batch ADD COLUMN is_collection INTEGER NOT NULL DEFAULT 0;

CREATE TABLE collection (
    batch INTEGER PRIMARY KEY REFERENCES batch,
    collection_items TEXT NOT NULL,           -- JSON array of pages with ids, as in API responses
    last_modified_at INTEGER,                 -- null before the first update
    last_modified_by TEXT
) STRICT;
