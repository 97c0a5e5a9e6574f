-- The folders of media on this computer that records refer to, told by the program that started the service.

CREATE TABLE media_folder (
    id TEXT PRIMARY KEY,
    folder TEXT NOT NULL,
    files TEXT NOT NULL                       -- JSON array of paths with slashes; empty for all files
) STRICT, WITHOUT ROWID;
