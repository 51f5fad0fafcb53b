"""Keys, signatures and encryption in the formats of OpenSSH and age.

Exports `sshsig`, `private_keys`, `statements` (what the moderator signs), `age`, `age_armour`
and `recovery`. The primitives are those of `cryptography`; this package only reads and writes
formats. It imports `cryptography` inside functions, so that a command loads only what it needs.
"""
