"""The language in which a table writes its rules: how it is read, compiled and said."""
