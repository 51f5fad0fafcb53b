"""Two Officers, a rule system whose one side has roles, and its tests."""
