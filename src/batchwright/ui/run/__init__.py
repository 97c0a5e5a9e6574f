"""The Run stage: the batch of the study is made, set up, and answered (design.md 5)."""
