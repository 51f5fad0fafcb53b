"""Modules that every other package builds on: digests, durable files, time, settings, TLS.

Exports `hashing`, `files`, `syncing`, `clock`, `config`, `tls`, `children`, `schema`,
`gzipped`, `report_json` and `mail_json`.
"""
