"""Second solvers: unit cells by the Fourier modal method, devices and scatterers in a plane by finite elements, beside the first one."""
