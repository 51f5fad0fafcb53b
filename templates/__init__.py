"""Every text that is mailed or shown: README.md."""
