"""Simulated coverage of every interval that is printed, beside intervals that people often use."""
