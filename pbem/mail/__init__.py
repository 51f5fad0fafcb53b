"""Mail from outside: fetched, opened in a guarded child, sorted to its game, taken there."""
