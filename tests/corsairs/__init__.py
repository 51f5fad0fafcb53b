"""Three Corsairs, a rule system of a package of its own with three sides, and its tests."""
