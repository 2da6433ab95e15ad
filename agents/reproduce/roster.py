"""The agents: name, title, and what each is there for (specification: agent summary)."""

from __future__ import annotations

ROSTER: dict[str, tuple[str, str]] = {
    "figure_reader": ("FigureReaderAgent", "names axes and curves of a figure beside what code read"),
    "prompt_adaptor": ("PromptAdaptorAgent", "adapts prompts to the paper's domain"),
    "planner": ("PlannerAgent", "reads the paper and makes the staged plan"),
    "plan_reviewer": ("PlanReviewerAgent", "reviews the plan before any stage runs"),
    "simulation_designer": ("SimulationDesignerAgent", "designs a stage's simulation"),
    "design_reviewer": ("DesignReviewerAgent", "reviews a design before code is written"),
    "code_generator": ("CodeGeneratorAgent", "writes the simulation with Meep and simkit"),
    "code_reviewer": ("CodeReviewerAgent", "reviews code before it runs"),
    "execution_validator": ("ExecutionValidatorAgent", "judges whether the simulations ran correctly"),
    "physics_sanity": ("PhysicsSanityAgent", "judges whether the results are physically possible"),
    "results_analyzer": ("ResultsAnalyzerAgent", "compares results with the paper, numbers and pictures"),
    "comparison_validator": ("ComparisonValidatorAgent", "checks the comparison against the evidence"),
    "supervisor": ("SupervisorAgent", "decides what happens next and writes the conclusions"),
}
TITLES: dict[str, str] = {name: title for name, (title, _) in ROSTER.items()}
