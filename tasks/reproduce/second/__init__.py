"""A second solver: unit cells by the Fourier modal method, from the same scene, beside what the first one says."""
