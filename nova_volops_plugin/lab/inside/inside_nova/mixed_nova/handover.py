# SPDX-License-Identifier: Apache-2.0

"""The state that one release's services hand to the next one's.

The files of a folder: its databases and what the story remembers.
"""

import contextlib
import json
import os
import sqlite3

from nova import context as nova_context
from nova.db.api import api as api_db
from nova.db.main import api as main_db

_STORY = 'story.json'
_API = 'api'
# The services of a cloud are stopped for minutes while it is upgraded.
_AGE = """UPDATE services
          SET last_seen_up = datetime(last_seen_up, '-10 minutes')"""


def exists(folder):
    """Return whether services ended and left what they had there."""
    return os.path.exists(os.path.join(folder, _STORY))


def load(folder, cells):
    """Replace the content of all databases, ten minutes later.

    :param folder: a path
    :param cells: a dict of name and CellMapping
    """
    for name, connection in _connections(cells):
        with contextlib.closing(
                sqlite3.connect(os.path.join(folder, name))) as file:
            file.backup(connection)
        if name != _API:
            connection.execute(_AGE)
            connection.commit()


def save(folder, cells, story):
    """Write the content of all databases and what the story remembers.

    :param story: what JSON can have
    """
    for name, connection in _connections(cells):
        with contextlib.closing(
                sqlite3.connect(os.path.join(folder, name))) as file:
            connection.backup(file)
    with open(os.path.join(folder, _STORY), 'w') as file:
        json.dump(story, file)


def story(folder):
    """Return what the story remembers."""
    with open(os.path.join(folder, _STORY)) as file:
        return json.load(file)


def _connections(cells):
    """Yield the name of each database and the connection that holds it."""
    with api_db.get_engine().connect() as connection:
        yield _API, connection.connection.driver_connection
    for name, cell in sorted(cells.items()):
        context = nova_context.get_admin_context()
        with nova_context.target_cell(context, cell) as cell_context:
            engine = main_db.get_engine(context=cell_context)
            with engine.connect() as connection:
                yield name, connection.connection.driver_connection
