"""Best–worst scaling: which items of sets were chosen as the best and the worst."""
