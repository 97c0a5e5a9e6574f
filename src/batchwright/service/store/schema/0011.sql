-- The language of the participant pages of a study, as a BCP 47 tag; null until it is set.

ALTER TABLE batch ADD COLUMN language TEXT;
