"""The commands, a module each: `run(options)` reads the options, does the work and prints."""
