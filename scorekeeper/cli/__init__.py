"""The command line: the engine's commands, which need only Python, and those of the web app."""
