-- Jobs of datasets that were deleted while a file was imported into them.

DELETE FROM job WHERE kind IN ('import', 'v3_import') AND subject NOT IN (SELECT number FROM import);
DELETE FROM job WHERE kind = 'migration' AND subject NOT IN (SELECT number FROM migration);
