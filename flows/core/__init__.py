"""What every workflow needs from Prefect: calls, questions, pauses, costs, clocks, pages, servers; knows no workflow."""
