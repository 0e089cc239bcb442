"""The base of every page: links and roles, forms, errors, languages, cookies, the page cache."""
