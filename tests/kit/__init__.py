"""The parts that rule systems are built from."""
