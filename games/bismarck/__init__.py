"""Bismarck (1979), the search board of the Basic Game."""
