"""What a person sets out to do, a module each, and the words for everything that can go wrong."""
