"""Tests of a club: sign-up, standby players, standings, tournaments, and its site."""
