"""How the evidence file is made: measured in runs, and joined from where the rest is kept."""
