"""The dataset of the study at the service, and the operations on it."""
