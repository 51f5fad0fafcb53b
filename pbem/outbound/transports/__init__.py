"""The ways in which mail leaves, one file each, behind one interface.

Exports `interface` (Transport, Later, Never) and `registry` (which way the home uses).
"""
