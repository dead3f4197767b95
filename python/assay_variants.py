"""Serves the variants that a file declares by @assay.variant (docs/python.md)."""

from assay.variants import serve_file

serve_file()
