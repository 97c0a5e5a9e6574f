"""What the answers say: questions and answers brought together, and counted. Pure values and functions."""
