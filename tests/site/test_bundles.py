"""Bundles: main scripts and style sheets when static files are collected."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import StaticFilesStorage

from countersite import bundles
from countersite.storage import NamedAfterContent

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "static"
NODE = shutil.which("node")
MAIN_SCRIPTS = sorted(str(path.relative_to(STATIC)) for path in STATIC.rglob("main.js"))
MAIN_SHEETS = sorted(str(path.relative_to(STATIC)) for path in STATIC.rglob("main.css"))
TEMPLATES = {
    str(path.relative_to(ROOT / "templates")): path.read_text(encoding="utf8")
    for path in sorted((ROOT / "templates").rglob("*.html"))
}
NAMED = {
    path for text in TEMPLATES.values() for path in re.findall(r'static "((?:js|css)/[^"]+)"', text)
}


def site(path: str) -> str:
    return (STATIC / path).read_text(encoding="utf8")


def bundled(make: Callable[[str, bundles.Read], str], path: str) -> tuple[str, list[str]]:
    """A bundle of the site, and the files in it."""
    taken: list[str] = []

    def read(part: str) -> str:
        taken.append(part)
        return site(part)

    return make(path, read), taken


def script(**modules: str) -> str:
    """The bundle of a.js in a folder with these modules."""
    return bundles.script("a.js", lambda path: _of(modules, path, ".js"))


def sheet(**sheets: str) -> str:
    return bundles.sheet("x/a.css", lambda path: _of(sheets, path.removeprefix("x/"), ".css"))


def _of(files: dict[str, str], path: str, suffix: str) -> str:
    try:
        return files[path.removesuffix(suffix)]
    except KeyError:
        raise FileNotFoundError(path) from None


def run(text: str) -> str:
    """The output of the module *text* in Node."""
    if not NODE:
        pytest.skip("Node is not installed")
    command = [NODE, "--input-type=module", "-e", text]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_imported_modules_run_first_and_once() -> None:
    text = script(
        a='import "./b.js";\nimport "./c.js";\nconsole.log("a");',
        b='import "./c.js";\nconsole.log("b");\n// a comment is its last line',
        c='console.log("c");',
    )

    assert ["c", "b", "a"] == run(text).split()


def test_names_are_imported_one_by_one_renamed_and_as_a_whole() -> None:
    text = script(
        a='import {\n  count, give as told,\n} from "./b.js";\nimport * as b from "./b.js";\n'
        "told(); b.give();\nconst { name } = new b.Item();\n"
        "b.later().then((late) => console.log(count(), b.LEAST, name, late));",
        b="let n = 0;\nexport const LEAST = 7;\nexport const count = () => n;\n"
        'export function give() { n += 1; }\nexport class Item { name = "x"; }\n'
        "export async function later() { return await 8; }",
    )

    assert "2 7 x 8" == run(text)


def test_modules_do_not_see_each_other_s_names() -> None:
    text = script(a='import "./b.js";\nconst n = 1;\nconsole.log(n);', b="const n = 2;\nvar m = 3;")

    assert "1" == run(text)


def test_comments_stay_behind_and_what_looks_like_one_does_not() -> None:
    text = script(
        a="// One.\n/** Two,\n * three. */\nconst at = 'http://x/*'; // four\n"
        "  // Five.\nfunction f() {\n  /** Six. */\n  return at;\n}\n/* a */ "
        "console.log(f());\n// End."
    )
    styles = sheet(
        a="/* One,\n * two. */\na { top: 0 } /* three */\n  /* Four. **/\nb { top: 1 }\n/*! © */"
    )

    assert "http://x/*" == run(text)
    assert not re.search("One|Two|three|Five|Six|End", text)
    assert "a{top:0}/* three */ b{top:1}/*! © */\n" == styles


def test_no_text_of_a_script_looks_like_a_comment() -> None:
    """A bundle would lose it. Only a template literal can have such a line."""
    for path in STATIC.glob("js/**/*.js"):
        for literal in re.findall(r"`[^`]*`", path.read_text(encoding="utf8")):
            assert not bundles.SCRIPT_COMMENT.search(literal), path


def test_a_sheet_keeps_who_drew_its_shapes() -> None:
    """Their licence asks for it."""
    for path in STATIC.glob("css/systems/*/main.css"):
        text = bundles.sheet(str(path.relative_to(STATIC)), site)
        drawn = "game-icons" in site(f"css/systems/{path.parent.name}.css")
        drawn |= "/slots/shapes.css" in path.read_text(encoding="utf8")

        assert drawn == ("CC BY 3.0" in text), path


def test_shapes_have_no_more_digits_than_a_phone_shows() -> None:
    """They would be a fifth of the first visit's style sheet."""
    for path in STATIC.glob("css/*/*.css"):
        for line in path.read_text(encoding="utf8").splitlines():
            assert not ("viewBox='0 0 512 512'" in line and re.search(r"\.\d\d", line)), line


@pytest.mark.parametrize(
    "text",
    [
        "export default 1;",
        "export let n = 0;",
        "export var n = 0;",
        "export { n };",
        "export const { n } = { n: 1 };",
        'export * from "./b.js";',
        'import b from "./b.js";',
        'import b, { n } from "./b.js";',
        'import "b";',
        'import { n } from "https://example.org/b.js";',
        'import "./b.js" with { type: "json" };',
        'import "./b.js"',
        'const b = import("./b.js");',
        "const here = import.meta.url;",
        "await fetch(here);",
        "const b = await fetch(here);",
        'import { "a name" as n } from "./b.js";',
    ],
)
def test_a_form_that_is_not_bundled_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(bundles.NotBundled, match=r"^a\.js has a form that is not bundled: "):
        script(a=f"const first = 1;\n{text}", b="export const n = 1;")


def test_a_text_keeps_its_spaces() -> None:
    """They are white space to who does not know that they are in a template literal."""
    text = (
        'const to = 3;\nconsole.log(`a  ${ to } → ${"b" + `c`}`'
        " + ` (${[to].map((n) => { return n; })} : d)`);"
    )

    with pytest.raises(bundles.NotBundled, match=r"^a\.js has a template literal in another: `a"):
        script(a=text)
    assert "a  3 → b (3 : d)" == run(script(a=text.replace("`c`", '""')))


def test_imports_that_cannot_be_found_or_ordered_are_refused() -> None:
    with pytest.raises(bundles.NotBundled, match=r"There is no c\.js, which b\.js imports\."):
        script(a='import "./b.js";', b='import "./c.js";')
    with pytest.raises(bundles.NotBundled, match=r"imports m, which b\.js does not export"):
        script(a='import { m } from "./b.js";', b="export const n = 1;")
    with pytest.raises(bundles.NotBundled, match=r"a\.js imports b\.js imports a\.js"):
        script(a='import "./b.js";', b='import "./a.js";')


def test_sheets_are_in_their_places_and_find_their_files() -> None:
    text = sheet(
        a='/* All. */\n@import "../y/b.css";\n@import "c.css";\na { color: red }',
        c="c { mask: url(data:image/svg+xml,x) }",
        **{"y/b": 'b { src: url("../font.woff2") } i { mask: url(#i) }'},
    )

    assert ["b", "c", "a"] == re.findall(r"^(\w)\{", text, re.MULTILINE)
    assert ["../font.woff2", "#i", "data:image/svg+xml,x"] == re.findall(r'url\("?(.*?)"?\)', text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('@import "c.css" screen;', "only"),
        ("@import url(c.css);", "only"),
        ('b { color: red }\n@import "c.css";', "only"),
        ('@import "none.css";', "There is no x/none.css, which x/a.css imports."),
        ('@import "c.css";\n@import "c.css";', "which x/a.css has already"),
    ],
)
def test_a_sheet_that_cannot_be_bundled_is_refused(text: str, reason: str) -> None:
    with pytest.raises(bundles.NotBundled, match=re.escape(reason)):
        sheet(a=text, c="c { color: red }")


@pytest.mark.parametrize("path", MAIN_SCRIPTS)
def test_every_main_script_can_be_bundled(path: str, tmp_path: Path) -> None:
    made = tmp_path / "main.mjs"
    made.write_text(bundles.script(path, site), encoding="utf8")

    if NODE:
        subprocess.run([NODE, "--check", made], check=True)


@pytest.mark.parametrize("path", MAIN_SHEETS)
def test_every_main_sheet_can_be_bundled(path: str) -> None:
    text, taken = bundled(bundles.sheet, path)
    first = [path] if path.startswith("css/base/") else ["css/base/tokens.css", "css/base/page.css"]

    assert "@import" not in text
    assert set(first) <= set(taken)


def test_a_page_loads_main_files_and_such_as_import_nothing() -> None:
    """Two bundles on one page would have two of each module, such as two outboxes."""
    for path in NAMED - {*MAIN_SCRIPTS, *MAIN_SHEETS}:
        assert not re.search(r"^@?import\b", site(path), re.MULTILINE), path
    mains = {
        name: re.findall(r'(?:static "js/[^"]*main\.js"|board_file "js")', text)
        for name, text in TEMPLATES.items()
    }

    assert {
        "board/flat.html": 1,
        "board/table.html": 1,
        "log/log.html": 1,
        "pages/chair.html": 1,
        "pages/home.html": 1,
        "pages/new.html": 1,
        "pages/pass_on.html": 1,
        "pages/replay.html": 1,
        "pages/sent.html": 1,
        "pages/share.html": 1,
        "systems/own-game/pages/shared.html": 1,
        "systems/own-game/pages/writing.html": 1,
        "tv/tv.html": 1,
    } == {name: len(found) for name, found in mains.items() if found}


def test_every_script_and_sheet_is_on_some_page() -> None:
    used = set(NAMED)
    for path in MAIN_SCRIPTS:
        used |= set(bundled(bundles.script, path)[1])
    for path in MAIN_SHEETS:
        used |= set(bundled(bundles.sheet, path)[1])
    written = {str(path.relative_to(STATIC)) for path in STATIC.glob("js/**/*.js")}
    written |= {str(path.relative_to(STATIC)) for path in STATIC.glob("css/**/*.css")}

    assert written == used


@pytest.fixture
def collected(tmp_path: Path) -> NamedAfterContent:
    """The board's files and what they need, collected."""
    storage, source = NamedAfterContent(location=tmp_path), StaticFilesStorage(location=STATIC)
    paths = [
        str(path.relative_to(STATIC))
        for path in STATIC.rglob("*")
        if path.suffix in {".js", ".css"}
    ] + [str(path.relative_to(STATIC)) for path in STATIC.rglob("*.woff2")]
    for path in paths:
        with source.open(path) as file:
            storage.save(path, file)
    for name, _named, done in storage.post_process({path: (source, path) for path in paths}):
        if isinstance(done, Exception):
            raise AssertionError(name) from done
    return storage


def test_a_collected_main_file_is_its_bundle(collected: NamedAfterContent) -> None:
    named = collected.stored_name("js/board/main.js")
    text = Path(collected.path(named)).read_text(encoding="utf8")

    assert re.fullmatch(r"js/board/main\.[0-9a-f]{12}\.js", named)
    assert bundles.script("js/board/main.js", site) == text
    assert collected.exists(f"{named}.gz")

    styles = Path(collected.path(collected.stored_name("css/systems/magic/main.css"))).read_text()
    font = re.search(r'url\("(\.\./[^"]+\.woff2)"\)', styles)
    assert font
    assert collected.exists(str(Path("css/systems/magic") / font[1])), font[1]


def test_no_string_of_a_sheet_has_the_white_space_that_bundles_leave_out() -> None:
    strings = [
        said
        for path in STATIC.rglob("*.css")
        for said in re.findall(r'"[^"\n]*"', re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S))
    ]

    assert len(strings) > 100
    assert [] == [said for said in strings if re.search(r"[:,] |[{};]", said)]
