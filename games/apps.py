from django.apps import AppConfig
from django.conf import settings


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        if settings.SHARED:
            from games.cluster.membership import Membership
            from games.live.table_registry import TableRegistry

            TableRegistry.joined = Membership
