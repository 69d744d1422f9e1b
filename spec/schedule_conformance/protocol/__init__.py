"""The adapter protocol: JSON values, the messages and their schemas, and what a system under test is."""
