"""The pages and states of the app, as `make pictures` takes them and the engines are compared by."""
