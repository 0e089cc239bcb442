"""The pages: one blueprint a file, its templates in the folder of the same name. No page imports another."""
