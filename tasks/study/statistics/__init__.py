"""Tests of hypotheses, chosen by rule from design, kinds of variables and checked assumptions.

Stands alone: imports numpy, scipy, pandas and statsmodels, nothing of ours, so that a study's package ships it and its
numbers can be computed again without ReproLab (`python -m study_statistics DATA PLAN`).
"""

from .analysis import analysed
from .model import Assumption, Bayes, Effect, FactorEffect, NotTestable, Plan, Tested

__all__ = ["Assumption", "Bayes", "Effect", "FactorEffect", "NotTestable", "Plan", "Tested", "analysed"]
