"""The running program: its application, and the controller of each window."""
