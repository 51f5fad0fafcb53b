"""Every word that leaves the desk: README.md."""
