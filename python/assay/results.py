"""assay.read: the tables and views of an assay database, by name, as data frames or as rows."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

# What Python calls in the plural, and the file has in the singular or under a name of its own.
ALIASES = {"runs": "run", "times": "deciding"}
TRIES = 3  # while somebody begins to write at the very moment

Stamp = tuple[int, int, bool]


def size_of(path: str) -> int:
    """The size in bytes; 0 if the file is gone."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


class Results:
    """A database. It is opened read-only for each query, so that a writer does not have to wait."""

    def __init__(self, path: str | os.PathLike[str]):
        self.path = os.fspath(path)
        if not os.path.isfile(self.path):
            raise FileNotFoundError("%s: there is no such database" % self.path)
        self.names: list[str] = sorted(
            row["name"] for row in self.ask("SELECT name FROM sqlite_schema WHERE type IN ('view', 'table') "
                                            "AND name NOT LIKE 'sqlite_%'"))
        if "verdicts" not in self.names:
            raise ValueError("%s is no database of assay" % self.path)

    def stamp(self) -> Stamp:
        """What changes when the file is written. Last: is there a log that must be read too?"""
        about = os.stat(self.path)
        is_open = any(size_of(self.path + log) > 0 for log in ("-wal", "-journal"))
        return about.st_mtime_ns, about.st_size, is_open

    def ask(self, question: str) -> list[dict[str, Any]]:
        """A file without a log is read as one that does not change, so that no file is left beside it."""
        for left in reversed(range(TRIES)):
            before = self.stamp()
            how = "mode=ro" if before[-1] or left == 0 else "mode=ro&immutable=1"
            uri = "file:%s?%s" % (self.path.replace("%", "%25").replace("?", "%3f").replace("#", "%23"), how)
            try:
                with closing(sqlite3.connect(uri, uri=True)) as file:
                    cursor = file.execute(question)
                    columns = [column[0] for column in cursor.description]
                    rows = [dict(zip(columns, row)) for row in cursor]
            except sqlite3.DatabaseError:
                if left == 0 or self.stamp() == before:
                    raise
                continue  # pages of two states
            if self.stamp() == before or before[-1]:
                break
        return rows

    def own_name(self, name: str) -> str:
        own = ALIASES.get(name, name)
        if own not in self.names:
            raise KeyError("%s has no '%s': %s" % (self.path, name, ", ".join([*ALIASES, *self.names])))
        return own

    def rows(self, name: str) -> list[dict[str, Any]]:
        """All rows of a view or table. Needs no pandas."""
        return self.ask('SELECT * FROM "%s"' % self.own_name(name))

    def frame(self, name: str) -> pandas.DataFrame:
        """The same as a data frame."""
        own = self.own_name(name)
        try:
            import pandas
        except ImportError as error:
            raise ImportError("data frames are pandas's: pip install pandas, or take rows('%s')" % name) from error
        columns = [row["name"] for row in self.ask("SELECT name FROM pragma_table_info('%s')" % own)]
        return pandas.DataFrame(self.rows(name), columns=columns)

    def __getattr__(self, name: str) -> pandas.DataFrame:
        if name.startswith("_") or name == "names":
            raise AttributeError(name)
        try:
            return self.frame(name)
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __getitem__(self, name: str) -> pandas.DataFrame:
        return self.frame(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *ALIASES, *self.names]

    def __repr__(self) -> str:
        return "assay.read(%r)" % self.path


def read(path: str | os.PathLike[str]) -> Results:
    """The results of a database: `assay.read("results.db").verdicts` is a data frame. docs/python.md names the views."""
    return Results(path)
