# SPDX-License-Identifier: Apache-2.0

"""A Keystone for two users of one project."""

import datetime
import secrets

from nova.tests import fixtures as nova_fixtures

from embedded_nova import web

PROJECT_ID = nova_fixtures.PROJECT_ID
PROJECT_NAME = 'demo'
DOMAIN = {'id': 'default', 'name': 'Default'}
ROLES = {
    'admin': ('admin', 'member', 'reader'),
    'demo': ('member', 'reader'),
}
LIFETIME = datetime.timedelta(days=1)
# The type in the catalog, the name, and the path below the cloud's address.
SERVICES = (
    ('identity', 'keystone', '/identity/v3'),
    ('compute', 'nova', '/compute/v2.1'),
    ('volumev3', 'cinderv3', '/volume/v3/' + PROJECT_ID),
    ('block-storage', 'cinder', '/volume/v3/' + PROJECT_ID),
    ('image', 'glance', '/image'),
    ('placement', 'placement', '/placement'),
)


class Identity(web.Router):
    """The tokens, and the catalog they come with.

    :param passwords: a dict of each user's name and password
    """

    def __init__(self, passwords):
        super().__init__()
        self._passwords = passwords
        self._tokens = {}
        self.add('GET', '', self._versions)
        self.add('GET', '/v3', self._version)
        self.add('POST', '/v3/auth/tokens', self._issue)
        self.add('GET', '/v3/auth/tokens', self._validate)
        self.add('DELETE', '/v3/auth/tokens', self._revoke)
        self.add('GET', '/v3/projects', self._projects)
        self.add('GET', '/v3/projects/(?P<project>[^/]+)', self._project)
        self.add('GET', '/v3/users', self._users)
        self.add('GET', '/v3/users/(?P<user>[^/]+)', self._user)

    def user_of(self, environ):
        """Return the name of the user that a request's token was issued to.

        :raises Refusal: 401 without a valid token
        """
        return self._known(environ.get('HTTP_X_AUTH_TOKEN'))['user']['name']

    def authenticated(self, app, headers=None, public=()):
        """Wrap an application: only requests with a token get to it.

        :param headers: called with the environment and the user's name, to
            tell the application who asks in its own way
        :param public: paths that need no token
        """
        def guard(environ, start_response):
            if environ['PATH_INFO'].rstrip('/') not in public:
                try:
                    user = self.user_of(environ)
                except web.Refusal as refusal:
                    message = refusal.message

                    def refuse(request):
                        raise web.Refusal(401, message)

                    router = web.Router()
                    router.add(environ['REQUEST_METHOD'], '.*', refuse)
                    return router(environ, start_response)
                environ['embedded.user'] = user
                if headers:
                    headers(environ, user)
            return app(environ, start_response)
        return guard

    def _known(self, token):
        known = self._tokens.get(token)
        if known is None or known['expires'] < _now():
            raise web.Refusal(401, 'the token is not valid')
        return known

    def _version_document(self, request):
        return {
            'id': 'v3.14', 'status': 'stable', 'media-types': [],
            'updated': '2020-04-07T00:00:00Z',
            'links': [{'rel': 'self',
                       'href': request.application_url + '/v3/'}]}

    def _versions(self, request):
        return 300, {
            'versions': {'values': [self._version_document(request)]}}

    def _version(self, request):
        return 200, {'version': self._version_document(request)}

    def _issue(self, request):
        auth = web.json_of(request, 'auth')
        identity = auth.get('identity', {})
        if 'token' in identity.get('methods', ()):
            user = self._known(identity['token']['id'])['user']['name']
        else:
            user = self._by_password(request)
        scope = auth.get('scope') or {}
        if 'system' in scope or 'domain' in scope:
            raise web.Refusal(401, 'the only scope is the project %s' %
                              PROJECT_NAME)
        project = scope.get('project', {})
        if project and PROJECT_ID != project.get('id') and (
                PROJECT_NAME != project.get('name')):
            raise web.Refusal(401, 'the only project is %s' % PROJECT_NAME)
        token = secrets.token_urlsafe(24)
        issued = _now()
        self._tokens[token] = {
            'user': {'id': user, 'name': user, 'domain': DOMAIN,
                     'password_expires_at': None},
            'expires': issued + LIFETIME,
            'body': {
                'methods': ['password'],
                'user': {'id': user, 'name': user, 'domain': DOMAIN,
                         'password_expires_at': None},
                'project': {'id': PROJECT_ID, 'name': PROJECT_NAME,
                            'domain': DOMAIN},
                'is_domain': False,
                'roles': [{'id': role, 'name': role} for role in ROLES[user]],
                'audit_ids': [secrets.token_urlsafe(12)],
                'issued_at': _stamp(issued),
                'expires_at': _stamp(issued + LIFETIME),
                'catalog': _catalog(request.host_url),
            }}
        return self._answer(request, 201, token)

    def _by_password(self, request):
        given = web.json_of(
            request, 'auth', 'identity', 'password', 'user')
        name = given.get('name') or given.get('id')
        password = self._passwords.get(name)
        if password is None or not secrets.compare_digest(
                password.encode(), str(given.get('password')).encode()):
            raise web.Refusal(401, 'the user or its password is wrong')
        return name

    def _answer(self, request, code, token):
        request.environ['embedded.headers'] = {'X-Subject-Token': token}
        return code, {'token': self._tokens[token]['body']}

    def _validate(self, request):
        self._known(request.headers.get('X-Auth-Token'))
        subject = request.headers.get('X-Subject-Token')
        self._known(subject)
        return self._answer(request, 200, subject)

    def _revoke(self, request):
        self._known(request.headers.get('X-Auth-Token'))
        self._tokens.pop(request.headers.get('X-Subject-Token'), None)
        return 204, None

    def _projects(self, request):
        self.user_of(request.environ)
        return 200, {'projects': [_project()], 'links': {}}

    def _project(self, request, project):
        self.user_of(request.environ)
        if project != PROJECT_ID:
            raise web.Refusal(404, 'no project %s' % project)
        return 200, {'project': _project()}

    def _users(self, request):
        self.user_of(request.environ)
        return 200, {
            'users': [_user(name) for name in sorted(ROLES)], 'links': {}}

    def _user(self, request, user):
        self.user_of(request.environ)
        if user not in ROLES:
            raise web.Refusal(404, 'no user %s' % user)
        return 200, {'user': _user(user)}


def _now():
    return datetime.datetime.now(datetime.timezone.utc)


def _stamp(moment):
    return moment.strftime('%Y-%m-%dT%H:%M:%S.%fZ')


def _project():
    return {'id': PROJECT_ID, 'name': PROJECT_NAME, 'enabled': True,
            'domain_id': DOMAIN['id'], 'is_domain': False, 'tags': []}


def _user(name):
    return {'id': name, 'name': name, 'enabled': True,
            'domain_id': DOMAIN['id']}


def _catalog(host_url):
    return [{
        'id': name, 'type': type_, 'name': name,
        'endpoints': [{
            'id': '%s-%s' % (name, interface), 'interface': interface,
            'region': 'RegionOne', 'region_id': 'RegionOne',
            'url': host_url + path,
        } for interface in ('public', 'internal', 'admin')],
    } for type_, name, path in SERVICES]
