"""A report shown: findings in words, JSON, JUnit XML, one HTML page, and two reports compared."""
