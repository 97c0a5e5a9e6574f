"""The Collections stage: the collections of the workspace, and that of the study."""
