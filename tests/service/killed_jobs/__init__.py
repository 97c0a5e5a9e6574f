"""Long operations of the service that tests interrupt by killing its processes."""
