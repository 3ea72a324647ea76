# SPDX-License-Identifier: Apache-2.0

"""A Keystone for two users of one project."""

import datetime
import secrets

from keystoneauth1 import fixture
from nova.tests import fixtures as nova_fixtures

from inside_nova.embedded_nova import web

PROJECT_ID = nova_fixtures.PROJECT_ID
PROJECT_NAME = 'demo'
DOMAIN_ID = 'default'
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
        return self._known(environ.get('HTTP_X_AUTH_TOKEN')).user_name

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
                    return refusal.response()(environ, start_response)
                environ['embedded.user'] = user
                if headers:
                    headers(environ, user)
            return app(environ, start_response)
        return guard

    def _known(self, token):
        known = self._tokens.get(token)
        if known is None or known.expires < _now():
            raise web.Refusal(401, 'the token is not valid')
        return known

    def _version_document(self, request):
        return fixture.V3Discovery(
            request.application_url + '/v3/', id='v3.14', xml=False)

    def _versions(self, request):
        return 300, {
            'versions': {'values': [self._version_document(request)]}}

    def _version(self, request):
        return 200, {'version': self._version_document(request)}

    def _issue(self, request):
        auth = web.json_of(request, 'auth')
        identity = auth.get('identity', {})
        if 'token' in identity.get('methods', ()):
            user = self._known(identity['token']['id']).user_name
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
        self._tokens[token] = _token(user, request.host_url)
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
        return code, self._tokens[token]

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
            'domain_id': DOMAIN_ID, 'is_domain': False, 'tags': []}


def _user(name):
    return {'id': name, 'name': name, 'enabled': True,
            'domain_id': DOMAIN_ID}


def _token(user, host_url):
    issued = _now()
    token = fixture.V3Token(
        issued=_stamp(issued), expires=_stamp(issued + LIFETIME),
        user_id=user, user_name=user, user_domain_id=DOMAIN_ID,
        user_domain_name='Default', project_id=PROJECT_ID,
        project_name=PROJECT_NAME, project_domain_id=DOMAIN_ID,
        project_domain_name='Default', project_is_domain=False)
    for role in ROLES[user]:
        token.add_role(name=role, id=role)
    for type_, name, path in SERVICES:
        url = host_url + path
        token.add_service(type_, name, id=name).add_standard_endpoints(
            public=url, internal=url, admin=url, region='RegionOne')
    return token
