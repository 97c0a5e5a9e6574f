"""The Feedback stage: files about completed studies, checked and sent."""
