"""The order language: text in, typed orders or good error messages out. No files, no network.

`canon` text to signed tokens, `header` who and when, `parse` tokens to orders by a game's verb
table (`verbs`), `diagnose` what is wrong and where, `show` orders to text, `conditions` and
`book` what binds a side at a moment.
"""
