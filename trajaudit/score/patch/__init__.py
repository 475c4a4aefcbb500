"""What a patch is worth: reading, applying, deciding. Nothing is executed here."""
