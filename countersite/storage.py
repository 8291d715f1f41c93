"""Static files that browsers may cache for ever: their names contain a hash of their content."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from . import bundles

BUNDLED = {"main.js": bundles.script, "main.css": bundles.sheet}
"""Collects these files' imports into them."""


class NamedAfterContent(CompressedManifestStaticFilesStorage):
    """Names files after their content; under such a name, a page's main file is a bundle."""

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        named = {path.replace("\\", "/"): path for path in paths}

        def read(path: str) -> str:
            if path not in named:
                raise FileNotFoundError(path)
            storage, name = paths[named[path]]
            with storage.open(name) as file:
                return str(file.read().decode())

        made = {
            given: (Bundle(BUNDLED[name](path, read)), given)
            for path, given in named.items()
            if (name := path.rpartition("/")[2]) in BUNDLED
        }
        yield from super().post_process(paths | made, *args, **options)

    def compress_files(self, paths: set[str]) -> Iterator[tuple[str, str]]:
        """Compress the files that pages name; no page asks for one without a hash."""
        yield from super().compress_files(paths & set(self.hashed_files.values()))


class Bundle:
    """A bundle's text, where the storage of a collected file's source is expected."""

    def __init__(self, text: str) -> None:
        self.text = text

    def open(self, name: str) -> ContentFile[bytes]:
        return ContentFile(self.text.encode(), name)
