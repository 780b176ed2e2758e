"""The conventions that the project knows, one short file each: only what differs from the defaults or from its base."""
