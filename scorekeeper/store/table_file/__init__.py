"""A table as one file: how the file is shaped, how it is written, and how a table is made of one."""
