"""Papers made from other files: Markdown or PDF in, a paper's folder out, whole or not at all."""

from tasks.reproduce.papers.importing.imported import Imported, Wishes, import_paper, imported_pdf, is_pdf

__all__ = ["Imported", "Wishes", "import_paper", "imported_pdf", "is_pdf"]
