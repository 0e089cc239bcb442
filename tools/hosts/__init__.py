"""Several hosts, one database and a proxy, and what becomes of the phones when a part of it dies: ``make hosts``."""
