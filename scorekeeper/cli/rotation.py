"""Another secret in the place of the app's: ``rotate-secret``."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from .. import limits
from .command import CommandRefused, add, counted, need_data, need_newest, patient_app, unkept_secret

if TYPE_CHECKING:
    from datetime import date


def register(commands: Any) -> None:
    """Add ``rotate-secret`` to the command line."""
    command = add(
        commands,
        rotate_secret,
        "make a new secret, and seal the links of all tables anew under it, also while the app runs",
        "rotate-secret",
        description="Make a new secret in the instance folder, which the app takes over by itself, and seal the links "
        "of all tables anew under it. The secret before opens cookies and forms until no phone can have one of its "
        f"time; then, after {limits.COOKIE_DAYS + 1} days, the next rotation removes it. Where SECRET_KEY sets the "
        "secret, the command prints the steps.",
    )
    seal_help = "make no new secret: only seal anew what an earlier one has sealed, and remove those that are over"
    command.add_argument("--seal", action="store_true", help=seal_help)


def rotate_secret(args: argparse.Namespace) -> int:
    """Make a new secret and seal all links anew under it; where it is from the environment, print the steps."""
    from .. import app_secrets
    from ..config import has_secret, new_secret, places, secret_file

    need_data(places())
    if not has_secret():
        raise CommandRefused(f"There is no secret to rotate: no SECRET_KEY is set, and there is no {secret_file()}.")
    is_from_outside = bool(os.environ.get("SECRET_KEY"))
    if is_from_outside and not args.seal:
        print(_steps(new_secret(), app_secrets.today() + app_secrets.NEEDED))
        return 0
    _need_links()
    if not args.seal:
        with app_secrets.changing(secret_file()) as known:
            if len(known.earlier) >= limits.SECRETS:
                day = min(each.until for each in known.earlier)
                raise CommandRefused(f"There are {limits.SECRETS} earlier secrets already: the first goes on {day}.")
            app_secrets.put(secret_file(), known.followed_by(new_secret(), app_secrets.today()).written())
        print(f"A new secret is in {secret_file()}. The app takes it over by itself, without a restart.", flush=True)
    _seal_anew()
    if not is_from_outside:
        _drop_those_over()
    return 0


def _need_links() -> None:
    """Raise ``CommandRefused`` where the database is not of this version: nothing is sealed in it yet."""
    from ..store.db import db

    with patient_app(SECRET_KEY=unkept_secret()).app_context():
        try:
            need_newest()
        finally:
            db.session.remove()
            db.engine.dispose()


def _seal_anew() -> None:
    """Seal all links anew, and print how many; raise ``CommandRefused`` if some are left."""
    from ..store.links import seal_anew

    with patient_app().app_context():
        done = seal_anew()
    print(f"{counted(done.anew, 'link was', 'links were')} sealed anew.")
    if done.lost:
        print(
            f"{counted(done.lost, 'link was', 'links were')} sealed under a secret that the app does not have. If it "
            "is one of before, put it into SECRET_KEY_FALLBACKS and run 'scorekeeper rotate-secret --seal'. If it is "
            "lost, such links open their tables and cannot be shown; the owner of each makes new ones on the owner's "
            "page."
        )
    if done.left:
        raise CommandRefused(
            f"{counted(done.left, 'link is', 'links are')} left, in use all the while: scorekeeper rotate-secret --seal"
        )


def _drop_those_over() -> None:
    """Remove the earlier secrets that nobody needs any more, once nothing is sealed under them; print what is left."""
    from .. import app_secrets
    from ..config import secret_file

    with app_secrets.changing(secret_file()) as known:
        needed = known.without_those_over(app_secrets.today())
        if needed != known:
            app_secrets.put(secret_file(), needed.written())
            removed = counted(len(known.earlier) - len(needed.earlier), "earlier secret is", "earlier secrets are")
            print(f"{removed} removed: nobody needs that any more.")
    for each in needed.earlier:
        print(f"An earlier secret is needed until {each.until}, for phones whose cookies it has signed.")


def _steps(secret: str, day: date) -> str:
    """Return the steps by which hosts whose secret is in the environment get another one."""
    others = "those that are in it already"
    return f"""SECRET_KEY is set in the environment, so nothing was changed. A new secret:

{secret}

1. On every host: add the new secret to SECRET_KEY_FALLBACKS, beside {others}, with a space between.
   Restart the hosts one after the other: then each of them reads what the new one will sign.
   (A single host begins with step 2.)
2. On every host: set SECRET_KEY to the new secret, and SECRET_KEY_FALLBACKS to the SECRET_KEY of before,
   beside {others}. Restart the hosts one after the other.
3. On one host, with these settings: scorekeeper rotate-secret --seal
4. From {day} on: take the secret of before out of SECRET_KEY_FALLBACKS. Until then phones bring cookies
   that it has signed; without it they forget their tables."""
