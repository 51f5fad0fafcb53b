"""Text: layout of plain text, texts of mails, templates, TOML.

Exports `layout`, `messages`, `jinja_env` and `toml_input`.
"""
