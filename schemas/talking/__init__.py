"""What passes between code, agents, tools and people: requests, answers, turns, reviews, questions."""
