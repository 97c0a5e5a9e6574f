-- Feedback files that somebody has said are to be sent, until they have arrived or are no longer wanted.
-- `run` tells which run of the program sends a file or shows it: what another run left is interrupted.
CREATE TABLE queued_file (
    number INTEGER PRIMARY KEY,
    connection TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    run TEXT NOT NULL
) STRICT;
