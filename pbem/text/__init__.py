"""Words and how they are set: plain text, the texts of mails, templates, TOML.

Exports `layout`, `messages`, `jinja_env` and `toml_input`.
"""
