from django.apps import AppConfig
from django.conf import settings


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.store import demos
        from games.systems import SYSTEMS

        for name, (newest, *_older) in SYSTEMS.items():
            if newest.defined is not None:
                newest.defined.learn(demos.ready_games(name).values())
        if settings.SHARED:
            from games.cluster.membership import Membership
            from games.live.table_registry import TableRegistry

            TableRegistry.joined = Membership
