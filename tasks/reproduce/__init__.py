"""What is done to reproduce a paper: papers, materials, solving, evidence, curves, drawing, reports, regressions."""
