"""Static files that browsers may cache for ever: their names contain a hash of their content."""

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
    """Names files after their content, in the imports of our scripts too.

    Django's `support_js_module_import_aggregation` would read the scripts of every package, and
    fail on imports that only a bundler can resolve.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, (MODULES, IMPORTS))
