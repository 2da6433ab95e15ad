"""Documents of others as text: PDFs, read in the sandbox."""
