"""What every package stands on: digests, durable files, time, settings, TLS.

Exports `hashing`, `files`, `syncing`, `clock`, `config` and `tls`.
"""
