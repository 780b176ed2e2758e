"""Players of preferans: each a name, a version and a function from a view to an action."""
