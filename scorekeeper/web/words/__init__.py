"""Codes and numbers in the reader's words: names, problems, primes, points, dates."""
