# SPDX-License-Identifier: Apache-2.0

"""MariaDB: the databases of all services."""

from nova_volops_plugin.cloud.real import layout
from nova_volops_plugin.cloud.real import units


def url(cloud, database):
    """Return SQLAlchemy's address of a database.

    :param cloud: a :class:`layout.Layout`
    :param database: one of those :class:`Databases` made
    """
    return 'mysql+pymysql://%s:%s@%s/%s?charset=utf8mb4' % (
        _user(database), cloud.password('mariadb-' + _user(database)),
        layout.address('mariadb'), database)


def of_nova(cloud):
    """Return the names of the databases of one Nova and its Placement."""
    return {
        'api': cloud.variant + '_api',
        'cell0': cloud.variant + '_cell0',
        'cell1': cloud.variant,
        'placement': 'placement_' + cloud.variant,
    }


def _user(database):
    return database.split('_')[0]


class MariaDB(units.Service):
    """The server, reached on its port with passwords only."""

    name = 'mariadb'

    def prepare(self):
        folder = self._folder
        data = folder / 'data'
        layout.write_ini(folder / 'my.cnf', {'mysqld': {
            'user': 'root',
            'datadir': data,
            'bind_address': layout.ADDRESS,
            'port': layout.PORTS[self.name],
            'socket': folder / 'socket',
            'pid_file': folder / 'mysqld.pid',
            'tmpdir': self.layout.folder('mariadb', 'tmp'),
            'skip_name_resolve': 'ON',
            'character_set_server': 'utf8mb4',
            'max_connections': 1000,
            'performance_schema': 'OFF',
            'innodb_buffer_pool_size': '64M',
            'innodb_log_file_size': '32M',
            # A killed process loses nothing, a lost machine its last second.
            'innodb_flush_log_at_trx_commit': 2,
            'init_file': folder / 'init.sql',
        }})
        layout.write_ini(folder / 'client.cnf', {'client': {
            'user': 'root',
            'password': self.layout.password('mariadb-root'),
            'socket': folder / 'socket',
        }})
        layout.write_private(
            folder / 'init.sql',
            "ALTER USER root@localhost IDENTIFIED BY '%s';\n" %
            self.layout.password('mariadb-root'))
        if not (folder / 'made').exists():
            self.run('rm', '-rf', data)
            self.run('mariadb-install-db',
                     '--defaults-file=%s' % (folder / 'my.cnf'),
                     '--auth-root-authentication-method=normal',
                     '--skip-test-db')
            (folder / 'made').touch()

    def command(self):
        return ['mariadbd', '--defaults-file=%s' % (self._folder / 'my.cnf')]

    def check(self):
        units.ask(self.client('--execute', 'SELECT 1'))
        return layout.address(self.name)

    def client(self, *words):
        """Return the argv of a client that may do everything."""
        return ['mariadb', '--defaults-file=%s' %
                (self._folder / 'client.cnf'), *words]

    @property
    def _folder(self):
        return self.layout.folder('mariadb')


class Databases(units.Step):
    """The databases, each service's with a user of its own."""

    name = 'databases'
    requires = ('mariadb',)
    of_variant = True

    def do(self):
        names = ['keystone', 'glance', 'cinder', 'neutron']
        names += of_nova(self.layout).values()
        lines = []
        for name in names:
            lines += [
                "CREATE DATABASE IF NOT EXISTS %s;" % name,
                "CREATE USER IF NOT EXISTS '%s'@'%s' IDENTIFIED BY '%s';" % (
                    _user(name), layout.ADDRESS,
                    self.layout.password('mariadb-' + _user(name))),
                "GRANT ALL ON %s.* TO '%s'@'%s';" % (
                    name, _user(name), layout.ADDRESS)]
        self.run(*MariaDB(self.layout).client(), input='\n'.join(lines),
                 text=True)
