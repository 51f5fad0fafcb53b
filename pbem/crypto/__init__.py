"""Keys, signatures and encryption in the formats of OpenSSH and age.

Exports `sshsig`, `private_keys`, `statements` (what the moderator signs), `age`, `age_armour`
and `recovery`. The primitives come from the library "cryptography"; this package adds the formats.
Functions import the library when they run, so that a command loads only what it needs.
"""
