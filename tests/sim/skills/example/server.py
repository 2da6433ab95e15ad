"""A user's own skill: one tool that counts the words of a file in the experiment's directory."""

from pathlib import Path

from mcp.server.fastmcp import FastMCP

server = FastMCP("words", log_level="WARNING")


@server.tool(structured_output=False)
def count_words(file: str) -> str:
    """Count the words of a text file below the work directory; the counts are written to words.txt."""
    words = Path(file).read_text(encoding="utf-8").split()
    Path("words.txt").write_text(f"{len(words)}\n")
    return f"{len(words)} words, {len(set(words))} different ones"


server.run()
