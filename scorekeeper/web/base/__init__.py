"""What every page stands on: who may do what, forms, errors, languages, cookies, the page cache."""
