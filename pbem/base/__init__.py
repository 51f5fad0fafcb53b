"""What every package stands on: digests, durable files, time, settings, TLS.

Exports `hashing`, `files`, `syncing`, `clock`, `config`, `tls`, `schema`, `report_json` and
`mail_json`.
"""
