"""Atlantic Chase: Task Forces as lines over many hexes, and Initiative that passes to and fro."""
