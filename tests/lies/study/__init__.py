"""Lies of a scripted model against a human study, told in two whole runs (`make lies-study`)."""
