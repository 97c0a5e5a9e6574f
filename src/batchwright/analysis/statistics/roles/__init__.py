"""What researchers say about questions and options that a layout does not."""
