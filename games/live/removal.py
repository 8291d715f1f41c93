"""Deleting games that may be running."""

from __future__ import annotations

import logging
from collections.abc import Collection
from functools import partial

from games.models import Game
from games.store import retention, unused

from .table_registry import TableRegistry

logger = logging.getLogger(__name__)


async def close(registry: TableRegistry, games: Collection[Game]) -> None:
    """Take no more commands for *games*, wherever they are played: they are about to be deleted."""
    for game in games:
        await registry.end(game.slug)


async def forget(registry: TableRegistry, games: Collection[Game]) -> None:
    """Evict *games* from memory: they are deleted."""
    for game in games:
        await registry.forget(game.slug)


async def remove_overdue(registry: TableRegistry) -> None:
    """Delete the evenings whose retention has expired."""
    for evening in await registry.read(retention.overdue):
        await close(registry, evening)
        await registry.write(partial(retention.delete, evening))
        await forget(registry, evening)
        logger.info(
            "Deleted after %s days: %s game(s) of an evening.",
            retention.days(evening[-1]),
            len(evening),
        )


async def remove_unused(registry: TableRegistry) -> None:
    """Delete the games that nobody ever used and nobody has open, one by one."""
    for game in await registry.read(unused.found):
        table = registry.tables.get(game.slug)
        if table is not None and not table.idle:
            continue
        await close(registry, [game])
        if await registry.write(partial(unused.delete, game)):
            await forget(registry, [game])
        else:
            await registry.resume(game.slug)
    await registry.write(unused.forget_tokens)
