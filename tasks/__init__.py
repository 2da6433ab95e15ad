"""What is done: sandbox, simulation, materials, evidence, curves, digitising, reports, checkpoints."""
