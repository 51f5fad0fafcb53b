"""9 The battle board: geometry, manoeuvre, gunnery, damage, who fights whom, the fight."""
