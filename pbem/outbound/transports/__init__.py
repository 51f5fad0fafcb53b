"""The ways to deliver mail, one file each, behind one interface.

Exports `interface` (Transport, Later, Never) and `registry` (selects the transport of a home).
"""
