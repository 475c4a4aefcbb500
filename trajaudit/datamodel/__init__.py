"""The nouns: frozen records without input, output, clock or model."""
