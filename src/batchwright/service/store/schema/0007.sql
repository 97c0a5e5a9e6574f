-- The load of the start page from which a submission was started, and how long places are reserved.

ALTER TABLE submission ADD COLUMN page_load TEXT; -- random; null if the request did not name it
CREATE INDEX submission_by_page_load ON submission (batch, setup, page_load) WHERE page_load IS NOT NULL;
ALTER TABLE batch ADD COLUMN place_timeout INTEGER NOT NULL DEFAULT 3600000; -- milliseconds of inactivity after which a place is free
