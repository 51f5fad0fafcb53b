"""Keys, signatures and encryption in the formats of OpenSSH and age.

Exports `sshsig`, `private_keys`, `statements` (what the moderator signs), `age`, `age_armour`
and `recovery`.
"""
