"""What a study is: phases, artifacts, protocol, participants, results."""
