"""The program of the service: its routes, its worker, and the web server that runs it."""
