"""2nd Fleet: modern naval war in the Norwegian Sea, hidden as on the sea."""
