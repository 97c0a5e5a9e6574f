CREATE TABLE file_binding (                   -- what services assigned to a study whose file cannot contain it
    file_id TEXT PRIMARY KEY,                 -- a digest of the path of the file
    content BLOB NOT NULL                     -- a project file with layout and ids only, compressed with zlib
) STRICT, WITHOUT ROWID;
