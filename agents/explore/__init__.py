"""The agents of an exploration: ideas, experiments, evaluation, figures, paper, review, reproduction."""
