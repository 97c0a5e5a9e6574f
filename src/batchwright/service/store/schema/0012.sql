-- When batches, collections and datasets were last changed by a request.

ALTER TABLE batch ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;   -- 0 if that was before this column
UPDATE batch SET used_at = coalesce((SELECT last_modified_at FROM collection WHERE batch = batch.number), 0);
ALTER TABLE dataset ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0; -- 0 if that was before this column
UPDATE dataset SET used_at = coalesce((SELECT max(updated_at) FROM migration WHERE dataset = dataset.number), 0);
