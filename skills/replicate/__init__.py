"""The rubric by which a reproduction is graded."""
