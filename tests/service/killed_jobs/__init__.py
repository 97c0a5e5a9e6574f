"""What takes a service a while, so that it can be killed meanwhile (design.md 9)."""
