"""`reprolab up`: Prefect's server, a pool, the deployments and a worker on one computer, started and ended together."""
