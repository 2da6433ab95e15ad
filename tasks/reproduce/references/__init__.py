"""The paper's side of a target: its quoted numbers and tables, and whether its words name what was computed."""
