"""What travels between the client and a service: requests, answers, errors, a module per resource."""
