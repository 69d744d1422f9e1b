"""The law's answers: what it says to a request, and the law itself behind the adapter protocol."""
