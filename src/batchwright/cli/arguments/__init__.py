"""The arguments of the commands, without the modules that run them."""
