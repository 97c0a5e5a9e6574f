-- Why a job was given up, where nothing told it before.

ALTER TABLE batch ADD COLUMN fault TEXT;  -- why the latest setup ended in ERROR; null at any other status
ALTER TABLE export ADD COLUMN fault TEXT; -- why it has failed
