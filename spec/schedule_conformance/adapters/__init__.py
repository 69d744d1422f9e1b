"""Systems in other processes: the pipes, the requests over them, and whether an adapter is sane."""
