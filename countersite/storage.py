"""Static files as browsers may keep them for ever: named after what is in them."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage

MODULES = "js/*/*.js"
IMPORTS = (
    (r"""(?P<matched>import\s*["'](?P<url>\.{1,2}/.*?)["']\s*;)""", 'import "%(url)s";'),
    (
        r"""(?P<matched>import(?P<names>\s[^"';]*?)\s*from\s*["'](?P<url>\.{1,2}/.*?)["']\s*;)""",
        'import%(names)s from "%(url)s";',
    ),
)


class NamedAfterContent(CompressedManifestStaticFilesStorage):
    """What a script of ours imports is asked for by such a name, too.

    Django's own `support_js_module_import_aggregation` would read every package's scripts, and
    stumble over those that import what only a bundler knows.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, (MODULES, IMPORTS))
