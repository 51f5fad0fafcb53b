"""Fox and Hound: the smallest hidden-movement game, to be copied by whoever adds a system."""
