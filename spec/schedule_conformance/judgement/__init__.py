"""Judging a reply: whether the law allows it, which clause it breaks, and which clauses a case tries."""
