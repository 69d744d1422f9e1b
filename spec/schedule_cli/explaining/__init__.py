"""What is known of a clause, with examples that the law answers now: for the command `explain` and the site.

`explanation` puts it together; `parts` says in which form, so that a terminal and a page show the same.
Runs law and court in this process, for one clause also the command in others; reads package data alone.
"""
