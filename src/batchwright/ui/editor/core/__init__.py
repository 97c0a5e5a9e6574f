"""What all parts of the editor share: its state, its commands, and the labels of items."""
