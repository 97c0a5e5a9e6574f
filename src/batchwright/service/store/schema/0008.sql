-- The layout of each setup: the report writes the questions that the tasks of earlier setups had.

CREATE TABLE setup_layout (
    batch INTEGER NOT NULL REFERENCES batch,
    setup INTEGER NOT NULL,
    items TEXT,                               -- JSON array with ids; null if the tasks show nothing
    PRIMARY KEY (batch, setup)
) STRICT, WITHOUT ROWID;
INSERT INTO setup_layout SELECT number, setup, live_items FROM batch WHERE setup > 0 AND NOT is_collection;
