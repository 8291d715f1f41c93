"""The catalogues: untranslated words are listed here, and block a release."""

from __future__ import annotations

import ast
import re
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation

from games.cluster.phrases import packed, unpacked
from games.rules.state import Phrase, Refused, Words
from games.rules.system import Rule, Setting
from games.screens.words import PLAIN, words_of
from games.store import rows
from games.systems import SYSTEMS, presentation_of
from tests.types import Make, Sit

catalogues = pytest.importorskip("countersite.management.commands.translations")
sources = pytest.importorskip("countersite.management.commands._words")

HOLES = re.compile(r"%\((\w+)\)[sd]|\{([\w#]*)\}")
each_catalogue = pytest.mark.parametrize(
    ("language", "folder"),
    [(language, folder) for folder in sources.CATALOGUES for language in catalogues.LANGUAGES],
    ids=lambda each: each if isinstance(each, str) else each.parent.name,
)


# What is translated


@each_catalogue
def test_every_word_has_a_translation(language: str, folder: Path) -> None:
    """Words without one are listed in the summary; `manage.py translations --check` fails."""
    if missing := [each.id for each in catalogues.waiting(catalogues.up_to_date(language, folder))]:
        path = catalogues.catalogue_file(language, folder).relative_to(catalogues.ROOT)
        pytest.skip(f"{len(missing)} to translate in {path}, from {missing[0]!r} on")


@each_catalogue
def test_no_translation_is_a_guess_or_lacks_a_plural(language: str, folder: Path) -> None:
    translated = catalogues.catalogue(language, folder)

    for each in filter(lambda each: each.id, translated):
        assert not each.fuzzy, each.id
        if each.pluralizable:
            assert len(each.string) == translated.num_plurals, each.id


@each_catalogue
def test_translations_fill_the_same_holes(language: str, folder: Path) -> None:
    for (words, _context), text in catalogues.texts(catalogues.catalogue(language, folder)).items():
        holes = sorted(HOLES.findall(words[-1]))
        *one, last = [sorted(HOLES.findall(form)) for form in text]
        assert set(holes) == set(last), words
        assert all(set(form) <= set(holes) for form in one), words


@each_catalogue
def test_the_compiled_catalogue_is_the_written_one(language: str, folder: Path) -> None:
    assert not catalogues.stale(language, folder), "run `manage.py translations`"


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_the_same_words_have_one_translation(language: str) -> None:
    """gettext merges all catalogues into one table, so one of two would be lost."""
    found: dict[object, tuple[str, ...]] = {}
    for folder in sources.CATALOGUES:
        for words, text in catalogues.texts(catalogues.catalogue(language, folder)).items():
            assert text == found.setdefault(words, text), words


def test_every_catalogue_is_read() -> None:
    there = [str(folder) for folder in sources.CATALOGUES if folder.exists()]

    assert sorted(there) == sorted(map(str, settings.LOCALE_PATHS))
    with translation.override("es"):
        for editions in SYSTEMS.values():
            if "es" in editions[0].rulebook.translated:
                assert translation.gettext(editions[0].sentence) != editions[0].sentence


def test_only_a_release_waits_for_translators() -> None:
    """A word without a translation is a skipped test, a line in `.ci/run`, and a failed release."""
    gate = (catalogues.ROOT / ".ci" / "run").read_text()
    forge = (catalogues.ROOT / ".github" / "workflows" / "ci.yml").read_text()

    assert "manage.py translations --check || [ $release = no ]\n" in gate
    assert "startsWith(github.ref, 'refs/tags/') && '--release'" in forge


# Where words are found


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_systems_words_are_in_its_own_catalogue(name: str) -> None:
    shared = {words for _file, words, _context in sources.words_in(sources.SITE)}
    own = {words for _file, words, _context in sources.words_in(sources.of_system(name))}

    for system in SYSTEMS[name]:
        rules = [rule.text for rule in system.rulebook.rules.values()]
        settings = [setting.text for setting in system.rulebook.settings.values()]
        said = {system.title, system.sentence, *rules, *settings, *system.rulebook.kinds.values()}
        assert said <= own | shared
        assert {system.sentence, *rules} <= own
    assert not {each[1:] for each in sources.words_in(sources.of_system(name))} & {
        each[1:] for each in sources.words_in(sources.SITE)
    }


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_sites_catalogue_has_nothing_out_of_a_systems_folders(name: str) -> None:
    folders = {f"games/systems/{name.replace('-', '_')}", f"templates/systems/{name}"}

    files = {file for file, _words, _context in sources.words_in(sources.SITE)}
    assert [] == [file for file in files if folders & set(map(str, Path(file).parents))]


@pytest.mark.parametrize("module", [catalogues, sources])
def test_words_are_found_without_naming_any_game(module: ModuleType) -> None:
    code = Path(module.__file__).read_text().lower()

    for name in SYSTEMS:
        assert name not in code
        assert name.replace("-", "_") not in code


def test_words_are_what_is_declared_to_be() -> None:
    rules = {"R1": Rule("One a turn.", "The book", "2026")}
    setting = Setting(("once", 2), "How often?")

    assert ["One a turn.", "once", "How often?"] == list(
        sources.words_of({"rules": rules, "asked": [setting, "asked"]}, words=False)
    )
    assert sources.is_words("Words")
    assert sources.is_words("Mapping[str, Words]")
    assert not sources.is_words("Mapping[str, str]")
    assert Words is str


def test_marked_words_are_found_in_code() -> None:
    code = 'ACTS = {"cast": Act(_("Cast"), tap="cast"), "wait": marked("Wait")}'

    assert ["Cast", "Wait"] == sorted(words for words, _context in sources.in_code(code))


def test_no_sentence_of_a_refusal_escapes_the_catalogue() -> None:
    """Every refusal's sentence is a literal in the code; none is put together from parts."""
    for path in sorted(path for folder in sources.RULES for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in ("Refused", "invalid"):
                words = node.args[sources.SENTENCES[name]]
                assert isinstance(words, (ast.Constant, ast.Name)), (path.name, node.lineno)


@pytest.mark.parametrize("said", ['f"No {kind}."', '"No " + kind'])
def test_a_sentence_that_is_put_together_is_found_out(said: Any) -> None:
    for code in (f"Refused('x', {said})", f"def f():\n    why = {said}\n    Refused('x', why)"):
        with pytest.raises(ValueError, match="put together"):
            list(sources.sentences(code))


# The command


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, list[str | tuple[str, str]]]:
    """The words of a site and of a new system without catalogues."""
    words: Any = {"site": ["Take a seat"], "system": ["Cast"]}
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    monkeypatch.setattr(catalogues, "LANGUAGES", ("es",))
    monkeypatch.setattr(
        catalogues, "CATALOGUES", {tmp_path / "site": None, tmp_path / "system": frozenset()}
    )
    monkeypatch.setattr(
        catalogues, "words_in", lambda folder: [("a.py", each, None) for each in words[folder.name]]
    )
    return words


def run(*options: str) -> str:
    out = StringIO()
    call_command("translations", *options, stdout=out)
    return out.getvalue()


def translate(folder: str, words: str, text: str) -> None:
    path = catalogues.catalogue_file("es", catalogues.ROOT / folder)
    written = path.read_text().replace(
        f'msgid "{words}"\nmsgstr ""', f'msgid "{words}"\nmsgstr "{text}"'
    )
    path.write_text(written)


def in_spanish(folder: str) -> dict[str, str]:
    found = catalogues.texts(catalogues.catalogue("es", catalogues.ROOT / folder))
    return {words[0]: text[0] for (words, _context), text in found.items()}


def test_a_new_system_is_listed_and_not_refused(said: Any) -> None:
    run()
    translate("site", "Take a seat", "Toma asiento")
    run()

    assert "system/es/LC_MESSAGES/django.po: 1 entries, 1 to translate\n  Cast\n" in run("--check")


def test_a_system_that_claims_a_language_is_held_to_it(
    said: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(catalogues.CATALOGUES, catalogues.ROOT / "site", frozenset())
    monkeypatch.setitem(catalogues.CATALOGUES, catalogues.ROOT / "system", frozenset({"es"}))
    run()

    with pytest.raises(CommandError, match="system/es"):
        run("--check")
    translate("system", "Cast", "Lanzar")
    with pytest.raises(CommandError, match="system/es"):  # it is not compiled
        run("--check")
    run()
    run("--check")


def test_an_unused_word_is_refused_until_it_is_taken_out(said: Any) -> None:
    run()
    translate("site", "Take a seat", "Toma asiento")
    run()
    said["site"].remove("Take a seat")

    with pytest.raises(CommandError, match="site/es"):
        run("--check")
    run()
    assert {} == in_spanish("site")
    run("--check")


def test_the_check_writes_nothing(said: Any) -> None:
    with pytest.raises(CommandError):
        run("--check")

    assert [] == list(catalogues.ROOT.iterdir())


def test_an_untranslated_word_is_not_compiled(said: Any) -> None:
    said["system"].append(("One card", "Some cards"))
    run()

    assert not catalogues.stale("es", catalogues.ROOT / "system")
    translate("system", "Cast", "Lanzar")
    assert catalogues.stale("es", catalogues.ROOT / "system")


@pytest.mark.parametrize(("here", "there"), [("site", "system"), ("system", "site")])
def test_words_that_move_bring_their_translation(said: Any, here: Any, there: Any) -> None:
    said[here] = ["Draw"]
    run()
    translate(here, "Draw", "Robar")
    run()

    said[here].remove("Draw")
    said[there].append("Draw")
    run()

    assert {} == in_spanish(here)
    assert {"Draw": "Robar"} == in_spanish(there)


SPANISH = {"accept-language": "es-MX,es;q=0.9,en;q=0.5"}
ALL = [system for editions in SYSTEMS.values() for system in editions]
named = pytest.mark.parametrize("system", ALL, ids=lambda each: f"{each.name}-{each.edition}")


# Refusals


def test_a_refusal_is_its_template_with_its_facts() -> None:
    refused = Refused("not-enough", "Only {n} {kind} are there.", "R18", n=2, kind="{0}")

    assert "Only 2 {0} are there." == refused.message == str(refused.message)
    assert "Only {n} {kind} are there." == refused.template
    assert {"n": 2, "kind": "{0}"} == refused.facts


def test_a_refusal_without_facts_may_have_any_braces() -> None:
    refused = Refused("invalid", "a link {to: counter}")

    assert "a link {to: counter}" == refused.message == PLAIN.refusal(refused)


def test_facts_that_are_words_are_said_too_and_names_are_not() -> None:
    template = "{name} is not on the field ({zone})."
    refused = Refused("not-on-field", template, name="hand", zone="graveyard")

    assert "hand is not on the field (graveyard)." == PLAIN.refusal(refused)
    with translation.override("es"):
        assert (
            "hand no está en el campo (cementerio)."
            == words_of(SYSTEMS["grand-archive"][0]).refusal(refused).lower()
        )


def test_a_parameters_type_is_said_in_its_parts() -> None:
    must = Phrase("{must}, or {other}", must=Phrase("text of 1 to {most} characters", most=80),
                  other="true or false")  # fmt: skip

    assert "text of 1 to 80 characters, or true or false" == must
    with translation.override("es"):
        assert "un texto de 1 a 80 caracteres, o true o false" == PLAIN.phrase(must)


def test_a_refusal_reaches_another_process_whole() -> None:
    why = Phrase("The token {name} has ceased to exist.", name="Ooze")
    said = Phrase(
        "That cannot be redone: it would rule out line {n} of the log. {why}", n=7, why=why
    )

    again = unpacked(packed(said))

    assert said == again
    with translation.override("es"):
        assert PLAIN.phrase(said) == PLAIN.phrase(again)
        assert (
            "Eso no se puede rehacer: haría imposible la línea 7 del registro. "
            "La ficha Ooze ha dejado de existir." == (PLAIN.phrase(again))
        )


def test_odd_facts_do_not_break_the_wire() -> None:
    said = Phrase("{system} knows no command “{verb}”.", system="Magic", verb={"said": []})

    assert said == unpacked(packed(said))


# Pages


def english(name: str) -> set[str]:
    """The English texts about a system's rules that have a Spanish translation."""
    return {
        words[0]
        for folder in (sources.SITE, sources.of_system(name))
        for (words, _context), text in catalogues.texts(catalogues.catalogue("es", folder)).items()
        if words != text
    }


@named
def test_the_rulebook_is_in_spanish(client: Client, db: None, system: Any) -> None:
    page = client.get(f"/help/{system.name}?edition={system.edition}", headers=SPANISH)
    said = page.content.decode()

    sentences = {each for each in english(system.name) if len(each.split()) > 2}
    assert [] == [each for each in sentences if f">{each}<" in said]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_new_games_questions_are_in_spanish(client: Client, db: None, name: str) -> None:
    asked = client.get(f"/new?rules={name}", headers=SPANISH).content.decode()
    home = client.get("/", headers=SPANISH).content.decode()

    for words in english(name) & {
        each.text for each in SYSTEMS[name][0].rulebook.settings.values()
    }:
        assert f">{words}<" not in asked
    for words in english(name) & {SYSTEMS[name][0].sentence}:
        assert f">{words}<" not in home


# Kinds of counters


@pytest.mark.parametrize("name", SYSTEMS)
def test_kinds_are_called_as_the_game_prints_them_in_spanish(name: str) -> None:
    system = SYSTEMS[name][0]
    its = words_of(system)
    named = presentation_of(system).words.counters
    assert named == {its.kind(each) for each in named}
    with translation.override("es"):
        said = {each: its.kind(each) for each in (*named, "a kind of one’s own")}
        refused = Refused("not-enough", "Only {n} {kind} are there.", "R18", n=2, kind="ice")
        shown_text = its.refusal(refused)

    assert "a kind of one’s own" == said.pop("a kind of one’s own")
    assert all(text[0].islower() for text in said.values())
    if name == "yu-gi-oh":
        assert ("mágico", "hielo") == (said["spell"], said["ice"])
        assert "hielo" in shown_text


@pytest.mark.django_db(transaction=True)
def test_the_board_says_the_word_and_keeps_the_printed_one(make_game: Make, sit: Sit) -> None:
    library = {"name": "Library", "owner": "ana", "counters": {"spell": 2}}
    library["permits"] = {"spell": {"maximum": 3}}
    game = make_game("yu-gi-oh", objects={"library": library})
    client = sit(game, "ana")
    rows.give(game, [{"do": "place", "on": "library", "counter": "spell", "source": "library"}])

    board = client.get(f"/g/{game.slug}/", headers=SPANISH).content.decode()
    log = client.get(f"/g/{game.slug}/log", headers=SPANISH).content.decode()
    state = client.get(f"/g/{game.slug}/state.json", headers=SPANISH).json()["state"]

    assert 'data-kind="spell" data-word="mágico' in board.replace(
        "data-kind=spell", 'data-kind="spell"'
    )
    assert "mágico" in log
    assert {"spell": 3} == state["objects"]["library"]["counters"]
