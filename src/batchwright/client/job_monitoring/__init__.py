"""Job monitoring: polling jobs until they end, storing their status, and resuming after a restart."""
