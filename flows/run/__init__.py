"""The life of a run of any workflow: opened, locked, timed, paid for, continued, ended."""
