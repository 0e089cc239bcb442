"""The interface for other programs and for phones without signal: JSON under ``/api/v1``."""
