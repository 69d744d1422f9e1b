"""The court: drives an implementation through the adapter protocol and judges it by the law."""
