"""Databases of their own for tests that move games between them."""

from __future__ import annotations

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper


@pytest.fixture
def any_database(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Django's tests forbid connections to databases that did not exist at the start."""

    def connect(self: BaseDatabaseWrapper) -> None:
        if self.connection is None:
            with self.wrap_database_errors:
                self.connect()

    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", connect)
