"""Lies of a scripted model in every role of an exploration, told in few whole runs (`make lies-explore`)."""
