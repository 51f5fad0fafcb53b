"""What rule systems are built from: verbs, checks, questions, views, tables, contacts, bots, grids,
charts."""
