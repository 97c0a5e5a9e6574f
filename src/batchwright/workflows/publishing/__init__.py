"""Batches and collections: creating, editing, setting up, syncing, opening as a study."""
