"""The agents that reproduce a paper: who decides, with the rules that join their answers with evidence."""
