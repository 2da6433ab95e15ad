"""What every workflow shares: the base model, errors, requests and answers, questions; knows no workflow."""
