"""Makes a sound design out of a table: pairs, sides, samples, known answers and task groups."""
