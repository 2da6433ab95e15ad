"""study: from a topic, question or data set to a paper with its data. flow.py has the whole, driving.py the graph."""
