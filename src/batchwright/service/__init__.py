"""The service on this computer: what the hosted one does, answered from a folder (design.md 6)."""
