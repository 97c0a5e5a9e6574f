-- Feedback files to be uploaded, until they are uploaded or removed from the queue.
-- `run` is the run of the program that uploads or lists the file; files of earlier runs are interrupted.
CREATE TABLE queued_file (
    number INTEGER PRIMARY KEY,
    connection TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    run TEXT NOT NULL
) STRICT;
