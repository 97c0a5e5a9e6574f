-- The reason of failed setups and exports.

ALTER TABLE batch ADD COLUMN fault TEXT;  -- why the latest setup failed; null unless the status is ERROR
ALTER TABLE export ADD COLUMN fault TEXT; -- why it failed
