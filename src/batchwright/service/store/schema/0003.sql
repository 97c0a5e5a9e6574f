-- V3 datasets: their status, which V4 datasets have per import.

ALTER TABLE dataset ADD COLUMN status TEXT;   -- of a V3 dataset; null for V4 datasets
ALTER TABLE dataset ADD COLUMN filename TEXT; -- of the last uploaded file
ALTER TABLE dataset ADD COLUMN fault TEXT;    -- why the last import failed
