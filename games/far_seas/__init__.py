"""Far Seas: the cruiser war of 1914 by mail."""
