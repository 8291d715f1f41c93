"""The kinds of counters that Yu-Gi-Oh! cards use, and the cards that hold or place them.

An open kind may be on any face-up card. A bound kind may be only on a card whose own text places
it on itself, and is lost with the effects of that card; the cards listed with it are these hosts,
with their maximum ("max. 3") and their zones, if the text gives any. The cards listed with an open
kind are those that place it. A counter without a name is a kind of its own, named after its card or
family.

Collected from the data of the EDOPro engine (ProjectIgnis/CardScripts, August 2026: permits,
limits and placements; names from ProjectIgnis/Distribution and DawnbrandBots/yaml-yugi); open and
bound agree with Konami FAQ 13177 and 23486 (10 December 2022). New cards come out every month: the
list helps with typing and is never a whitelist.
"""

from __future__ import annotations

from dataclasses import dataclass

MONSTER, SPELL_TRAP, FIELD, PENDULUM = "monster", "spell-trap", "field-zone", "pendulum"
FIELD_ZONES = (MONSTER, SPELL_TRAP, FIELD, PENDULUM)
"""The zones in which a card is on the field."""


@dataclass(frozen=True, slots=True)
class Host:
    """A card that holds counters. maximum: None for any number. zones: where its text applies."""

    name: str
    maximum: int | None = None
    zones: tuple[str, ...] = FIELD_ZONES


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of counter.

    engine_id: its number in EDOPro. printed: its name on cards; None if it has none.
    hosts: the cards that may hold a bound kind. placers: the cards that place an open kind.
    """

    engine_id: int
    name: str
    printed: str | None
    open: bool
    hosts: tuple[Host, ...] = ()
    placers: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What players call it."""
        return self.printed or f"counter of {self.hosts[0].name if self.hosts else self.placers[0]}"


def _bound(engine_id: int, name: str, printed: str | None, *hosts: Host | str) -> Kind:
    holders = tuple(Host(host) if isinstance(host, str) else host for host in hosts)
    return Kind(engine_id, name, printed, open=False, hosts=holders)


def _open(engine_id: int, name: str, printed: str | None, *placers: str) -> Kind:
    return Kind(engine_id, name, printed, open=True, placers=placers)


# fmt: off
_LISTED = (
    _bound(0x1, "spell", "Spell Counter",
        Host("Magical Abductor", None, (MONSTER, PENDULUM)), "Power of the Guardians",
        "Arcanite Magician/Assault Mode", Host("Arcane Barrier", 4), "Blast Magician",
        "Supreme Arcanite Magician", "Breaker the Dark Magical Warrior",
        Host("Defender, the Magical Knight", 1),
        Host("Mythical Beast Jackal King", None, (MONSTER,)),
        Host("Mythical Beast Garuda", None, (MONSTER,)), "Arcanite Magician",
        "Pitch-Black Power Stone", Host("Endymion, the Mighty Master of Magic", None, (MONSTER,)),
        Host("Reflection of Endymion", None, (MONSTER, PENDULUM)), "Magical Citadel of Endymion",
        Host("Gateway to Chaos", 6), "Magical Something", "Rogue of Endymion", "Dark Red Enchanter",
        "Selene, Queen of the Master Magicians", Host("Skilled White Magician", 3),
        Host("Mythical Beast Master Cerberus", None, (MONSTER,)),
        Host("Mythical Beast Medusa", None, (MONSTER,)), "Mythical Beast Cerberus",
        "Spellbook Star Hall", Host("Hannibal Necromancer", 1), "Legendary Flame Lord",
        "Magical Exemplar", Host("Frequency Magician", 1), "Tempest Magician",
        Host("Skilled Red Magician", 3), "Endymion's Lab",
        Host("Magister of Endymion", None, (MONSTER, PENDULUM)), Host("Royal Magical Library", 3),
        Host("Breaker the Magical Warrior", 1), Host("Silent Magician LV4", 5),
        Host("Skilled Dark Magician", 3), "Magical Marionette",
        Host("Mythical Beast Bashilisk", None, (MONSTER,)), "Megistric Maginician", "Dark Valkyria",
        "Maiden of Macabre", Host("Skilled Brown Magician", 3), Host("Skilled Blue Magician", 3),
        Host("Mythical Beast Jackal", None, (MONSTER,)), "Day-Breaker the Shining Magical Warrior",
        Host("Servant of Endymion", None, (MONSTER, PENDULUM)), "Tower of Babel",
        "Mythical Institution", Host("Extra Buck", 3), Host("Thelematech Clatis", 9),
        "Mythical Bestiamorph"),
    _bound(0x3, "bushido", "Bushido Counter",
        "Gateway of the Six", "Shien's Dojo", "Temple of the Six", Host("Six Samurai United", 2),
        "Battle Shogun of the Six Samurai", Host("Shien's Daredevil", 1)),
    _bound(0x4, "psychic", "Psychic Counter", "Brain Research Lab"),
    _bound(0x5, "shine", "Shine Counter", "Realm of Light", "Lightsworn Sanctuary"),
    _bound(0x6, "crystal", "Crystal Counter", "Crystal Tree"),
    _bound(0x7, "colosseum - cage of the gladiator beasts", None,
        "Colosseum - Cage of the Gladiator Beasts"),
    _bound(0x8, "morph", "Morph Counter", "Morphtronic Map", "Gadget Box", "Morphtronic Clocken"),
    _bound(0xa, "genex", "Genex Counter", "Genex Ally Bellflame"),
    _bound(0xb, "ancient gear castle", None, "Ancient Gear Castle"),
    _bound(0xc, "thunder", "Thunder Counter", "Raigeki Bottle"),
    _bound(0xd, "greed", "Greed Counter", "Shard of Greed"),
    _bound(0xf, "worm", "Worm Counter", "Worm Illidan", "Worm Gulse"),
    _bound(0x10, "black feather", "Black Feather Counter",
        "Black-Winged Assault Dragon", "Black-Winged Dragon"),
    _bound(0x11, "hyper venom", "Hyper Venom Counter", "Vennominaga the Deity of Poisonous Snakes"),
    _bound(0x12, "karakuri", "Karakuri Counter", Host("Karakuri Anatomy", 2)),
    _bound(0x13, "chaos", "Chaos Counter", "Chaos Zone"),
    _bound(0x14, "miracle jurassic egg", None, "Miracle Jurassic Egg"),
    _bound(0x16, "spellstone", "Spellstone Counter",
        Host("Spellstone Sorcerer Karood", 1), Host("Powersink Stone", 2),
        "Curse of the Shadow Prison"),
    _bound(0x17, "nut", "Nut Counter", "Rodenut"),
    _bound(0x18, "flower", "Flower Counter", "The World Tree"),
    _bound(0x1a, "payback", "Payback Counter", "Double Payback"),
    _bound(0x1b, "clock", "Clock Counter", "Clock Tower Prison"),
    _bound(0x1c, "d", "D Counter", "D - Formation"),
    _bound(0x1d, "junk", "Junk Counter", "Machine Assembly Line"),
    _bound(0x1e, "gate", "Gate Counter", "Spacegate"),
    _bound(0x1f, "b.e.s.", None,
        "B.E.S. Big Core", "B.E.S. Covered Core", "B.E.S. Crystal Core", "Super B.E.S. Metal Slave",
        "B.E.S. Tetran", "B.E.S. Derringer Core", "B.E.S. Big Core MK-2", "B.E.S. Big Core MK-3",
        "B.E.S. Blaster Cannon Core"),
    _bound(0x20, "plant", "Plant Counter", Host("Seed Cannon", 5)),
    _bound(0x22, "dragonic", "Dragonic Counter", "Dragonic Guard"),
    _bound(0x23, "ocean", "Ocean Counter", "The Dragon Dwelling in the Deep"),
    _bound(0x25, "chronicle", "Chronicle Counter", "Spell Chronicle", "Mature Chronicle"),
    _bound(0x26, "metal shooter", None, "Metal Shooter"),
    _bound(0x27, "des mosquito", None, "Des Mosquito"),
    _bound(0x28, "dark catapulter", None, "Dark Catapulter"),
    _bound(0x29, "balloon lizard", None, "Balloon Lizard"),
    _bound(0x2b, "destiny", "Destiny Counter", "Number 88: Gimmick Puppet of Leo"),
    _bound(0x2c, "you got it boss", "You Got It Boss! Counter", "Orbital 7"),
    _bound(0x2d, "kickfire", None, "Kickfire"),
    _bound(0x2e, "shark", "Shark Counter", "Shark Caesar"),
    _bound(0x2f, "pumpkin", "Pumpkin Counter",
        Host("Pumprincess the Princess of Ghosts", None, (SPELL_TRAP,))),
    _bound(0x30, "hi-five the sky", "Hi-Five the Sky Counter", "Onomatopia"),
    _bound(0x31, "rising sun", "Rising Sun Counter", "Rising Sun Slash"),
    _bound(0x32, "balloon", "Balloon Counter", "Wonder Balloons"),
    _bound(0x33, "yosen", "Yosen Counter", "Yosen Training Grounds"),
    _bound(0x34, "boxer", None, "BOXer"),
    _bound(0x35, "symphonic", "Symphonic Counter", "Symph Amplifire", "Generalprobe"),
    _bound(0x36, "performage", "Performage Counter", Host("Performage Hat Tricker", 3)),
    _bound(0x37, "kaiju", "Kaiju Counter",
        Host("The Kaiju Files", 5), Host("Kyoutou Waterfront", 5),
        Host("Kaiju Capture Mission", 3)),
    _bound(0x40, "number 51: finisher the strong arm", None,
        Host("Number 51: Finisher the Strong Arm", 3)),
    _bound(0x42, "fire cracker", None, "Fire Cracker"),
    _bound(0x43, "defect", "Defect Counter", Host("Defect Compiler", 1)),
    _bound(0x44, "linkbelt wall dragon", None, "Linkbelt Wall Dragon"),
    _bound(0x46, "gouki cage match", None, "Gouki Cage Match"),
    _bound(0x47, "limit code", None, "Limit Code"),
    _bound(0x48, "link turret", None, "Link Turret"),
    _bound(0x4a, "athlete", "Athlete Counter", "F.A. Shining Star GT"),
    _bound(0x59, "otoshidamashi", "Otoshidamashi Counter", Host("Otoshidamashi", None, (MONSTER,))),
    _bound(0x147, "borrel", "Borrel Counter", "Borreload Savage Dragon"),
    _bound(0x148, "summon", "Summon Counter", Host("Summon Shock", 4), Host("Summon Over", 6)),
    _bound(0x14a, "performapal turn trooper", None, Host("Performapal Turn Trooper", 2)),
    _bound(0x14b, "battlewasp - nest", None, "Battlewasp - Nest"),
    _bound(0x14c, "firewall dragon darkfluid", None, "Firewall Dragon Darkfluid"),
    _bound(0x14d, "seraphim papillion", None, "Seraphim Papillion"),
    _bound(0x14e, "cauldron of the old man", None, "Cauldron of the Old Man"),
    _bound(0x14f, "the world legacy", None, Host("The World Legacy", 7)),
    _bound(0x200, "soul pendulum", None, "Soul Pendulum"),
    _bound(0x201, "fire fist", "Fire Fist Counter", "Fire Fortress atop Liang Peak"),
    _bound(0x202, "phantasm", "Phantasm Counter", "Chaos Core"),
    _bound(0x203, "hinezumi hanabi", None, "Hinezumi Hanabi"),
    _bound(0x204, "ursarctic big dipper", None, "Ursarctic Big Dipper"),
    _bound(0x205, "war rock ordeal", None, "War Rock Ordeal"),
    _bound(0x206, "sacred scrolls of the gizmek legend", None,
        "Sacred Scrolls of the Gizmek Legend"),
    _bound(0x207, "emperor's key", "Emperor's Key Counter", Host("The Deal of Destiny", 1)),
    _bound(0x208, "life shaver", None, "Life Shaver"),
    _bound(0x209, "ursarctic radiation", None, "Ursarctic Radiation"),
    _bound(0x20a, "piece", "Piece Counter", Host("Shining Piecephilia", 4)),
    _bound(0x20b, "forge a new future", None, Host("Forge a New Future", 3)),
    _bound(0x20c, "g golem", "G Golem Counter", "G Golem Crystal Heart"),
    _bound(0x20d, "gunkan suship catch-of-the-day", None, "Gunkan Suship Catch-of-the-Day"),
    _bound(0x20e, "combat wheel", None, "Combat Wheel"),
    _bound(0x20f, "totem pole", None, "Totem Pole"),
    _bound(0x210, "veda kalarcanum", None, Host("Veda Kalarcanum", None, (PENDULUM,))),
    _bound(0x211, "resonance", "Resonance Counter",
        Host("Dimonno Vaalmonica", None, (PENDULUM,)),
        Host("Angello Vaalmonica", None, (PENDULUM,))),
    _bound(0x212, "access", "Access Counter", Host("That's 10!", 10)),
    _bound(0x213, "schoolwork", "Schoolwork Counter", "Summer Schoolwork Successful!"),
    _bound(0x214, "season", "Season Counter", "Spring", "Summer"),
    _bound(0x215, "c", "C Counter", "Apocavities"),
    _bound(0x216, "dish", "Dish Counter", "Okiku's Dish Count"),
    _bound(0x217, "e.c.", "E.C. Counter",
        Host("Enneacraft - Asta.PIXEA", None, (PENDULUM,)),
        Host('Ekto Enneacraft - "tromarIA"', None, (PENDULUM,)),
        Host('Trito Enneacraft - "exapatisIA"', None, (PENDULUM,)),
        Host("Enneacraft - Atori.MAR", None, (PENDULUM,)),
        Host('Enato Enneacraft - "oknirIA"', None, (PENDULUM,)),
        Host('Proto Enneacraft - "orgIA"', None, (PENDULUM,)),
        Host("Enneacraft - Atil.SPIA", None, (PENDULUM,)),
        Host("Enneacraft - Archa.TAIL", None, (PENDULUM,)),
        Host("Enneacraft - Aiza.LEON", None, (PENDULUM,)),
        Host('Deftero Enneacraft - "alazoneIA"', None, (PENDULUM,))),
    _bound(0x218, "t", "T Counter", "Solving for Pendulum"),
    _bound(0x219, "full moon", "Full Moon Counter", "Full Moon Mirror"),
    _bound(0x21a, "vip", "VIP Counter", "VIP Whale"),
    _open(0x1002, "wedge", "Wedge Counter",
        "Blackwing - Auster the South Wind", "Blackwing Full Armor Master",
        "Blackwing Armor Master"),
    _open(0x1009, "venom", "Venom Counter",
        "Venom Boa", "Venom Serpent", "Venom Swamp", "Venom Shot", "Venom Snake", "Ambush Fangs"),
    _open(0x100e, "a", "A-Counter",
        'Corruption Cell "A"', "Alien Dog", "Alien Skull", '"A" Cell Breeding Device',
        "Planet Pollutant Virus", "Cosmic Horror Gangi'el"),
    _open(0x1015, "ice", "Ice Counter",
        "Snow Dragon", "Snowman Creator", "Cold Enchanter", "Ice Master", "Snowdust Giant"),
    _open(0x1019, "fog", "Fog Counter",
        "Cloudian - Storm Dragon", "Cloudian - Turbulence", "Cloudian - Acid Cloud",
        "Cloudian - Nimbusman", "Raging Cloudian", "Cloudian - Cirrostratus"),
    _open(0x1021, "guard", "Guard Counter", "Card Guard"),
    _open(0x1024, "string", "String Counter",
        "Number C40: Gimmick Puppet of Dark Strings", "Number 40: Gimmick Puppet of Strings"),
    _open(0x102a, "magic reflector", None, "Magic Reflector"),
    _open(0x1038, "cubic", "Cubic Counter",
        "Cubic Mandala", "Vijam the Cubic Seed", "Cubic Wave", "Cubic Causality", "Cubic Rebirth"),
    _open(0x1039, "zushin", "Zushin Counter", "Zushin the Sleeping Giant"),
    _open(0x1041, "predator", "Predator Counter",
        "Starving Venom Wing Dragon", "Predaplant Triantis", "Predaplant Banksiogre",
        "Predaplant Pterapenthes", "Predaplanning", "Predaplant Longinephila"),
    _open(0x1045, "scale", "Scale Counter", "Corrosive Scales"),
    _open(0x1049, "patrol", "Patrol Counter", "Beat Cop from the Underworld"),
    _open(0x1090, "maiden", "Maiden Counter", "Maiden in Love"),
    _open(0x1101, "hallucination", "Hallucination Counter",
        "Number 2: Ninja Shadow Mosquito", "Ninjitsu Art of Mosquito Marching"),
    _open(0x1148, "signal", "Signal Counter",
        "Signal Warrior", "On Your Mark, Get Set, DUEL!", "Synchro World"),
    _open(0x1149, "venemy", "Venemy Counter",
        "Starving Venemy Lethal Dose Dragon", "Starving Venemy Dragon"),
    _open(0x1207, "burnup", "Burnup Counter", "Aeropixthree"),
    _open(0x1208, "bunny ear", "Bunny Ear Counter", "Bunny Ear Enthusiast"),
    _open(0x1209, "deranged", "Deranged Counter", "Aiza the Dragoness of Deranged Devotion"),
)
# fmt: on

KINDS: dict[str, Kind] = {kind.name: kind for kind in _LISTED}
"""The kinds by name."""
OPEN = frozenset(kind.name for kind in _LISTED if kind.open)
"""The kinds that may be on any face-up card."""
