"""What things are when a photonics paper is reproduced: plan, design, materials, evidence, verdicts, the state of a run."""
