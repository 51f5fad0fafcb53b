"""BattleFleet Baltic, version 1.1: steam, rockets and tesla coils on a sea without cells."""
