CREATE TABLE analysis_settings (              -- what was chosen for the analysis of answers
    connection TEXT NOT NULL,                 -- empty for answers from a file
    source TEXT NOT NULL,                     -- batch:<id>, collection:<id>, file:<digest of the path>
    content TEXT NOT NULL,                    -- JSON
    PRIMARY KEY (connection, source)
) STRICT, WITHOUT ROWID;
