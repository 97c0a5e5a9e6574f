-- V3 datasets: what they tell of themselves, where V4 ones tell of their imports.

ALTER TABLE dataset ADD COLUMN status TEXT;   -- of a V3 dataset; null says that it is a V4 one
ALTER TABLE dataset ADD COLUMN filename TEXT; -- of the file that came last
ALTER TABLE dataset ADD COLUMN fault TEXT;    -- why the file read last could not be taken in
