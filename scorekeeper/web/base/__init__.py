"""What every page needs: links and roles, forms, errors, languages, cookies, the page cache."""
