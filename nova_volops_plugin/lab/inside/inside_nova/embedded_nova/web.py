# SPDX-License-Identifier: Apache-2.0

"""A minimal web server: a threaded server with JSON handlers."""

import collections
import json
import logging
import re
import socketserver
from wsgiref import simple_server

import webob

LOG = logging.getLogger(__name__)


class Refusal(Exception):
    """An answer other than success.

    :param code: the HTTP status, an int
    :param message: what is wrong, for a person
    """

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = message

    def response(self):
        """Return it as a WSGI application."""
        return _response(self.code, {
            'error': {'code': self.code, 'message': self.message}})


def _response(code, body):
    response = webob.Response(status=code)
    if body is not None:
        response.content_type = 'application/json'
        response.body = json.dumps(body, default=str).encode()
    return response


class Router:
    """A WSGI application that answers JSON.

    Handlers take a webob request and the named groups of their route, and
    return the status and the body, which may be None.
    """

    def __init__(self):
        self._routes = []

    def add(self, method, path, handler):
        """Answer a method of a path.

        :param path: a regular expression for the whole path below the prefix
            of the service, with or without a slash at its end
        """
        self._routes.append((method, re.compile(path + '/?$'), handler))

    def __call__(self, environ, start_response):
        request = webob.Request(environ)
        try:
            response = _response(*self._dispatch(request))
        except Refusal as refusal:
            response = refusal.response()
        response.headers.update(environ.get('embedded.headers', {}))
        return response(environ, start_response)

    def _dispatch(self, request):
        method = 'GET' if request.method == 'HEAD' else request.method
        known = False
        for route_method, path, handler in self._routes:
            match = path.match(request.path_info)
            known = known or bool(match)
            if match and route_method == method:
                return handler(request, **match.groupdict())
        if known:
            raise Refusal(405, '%s is not allowed here' % request.method)
        raise Refusal(404, 'the embedded cloud has no %s' % request.path)


def json_of(request, *keys):
    """Return what a request's body holds below the keys.

    :raises Refusal: when the body is no JSON or lacks one of the keys
    """
    try:
        value = json.loads(request.body)
        for key in keys:
            value = value[key]
    except (ValueError, KeyError, TypeError):
        raise Refusal(400, 'the body must be a JSON object with %s' % (
            '.'.join(keys) or 'fields'))
    return value


def administrators_only(request):
    """Refuse a request that is not an administrator's.

    :raises Refusal: 403
    """
    if request.environ['embedded.user'] != 'admin':
        raise Refusal(403, 'only admin may do this')


class Prefixes:
    """Hands a request to the application of its first path segment."""

    def __init__(self, apps):
        self._apps = apps

    def __call__(self, environ, start_response):
        request = webob.Request(environ)
        app = self._apps.get(request.path_info_peek())
        if app is None:
            app = Refusal(404, 'the services are below /%s' % ', /'.join(
                sorted(self._apps))).response()
        else:
            request.path_info_pop()
        return app(environ, start_response)


class _Handler(simple_server.WSGIRequestHandler):

    def log_message(self, format, *args):
        LOG.info(format, *args)

    def get_environ(self):
        # A header that comes twice is joined, as the protocol has it: clients
        # send one microversion header for the service and one of its elder.
        environ = super().get_environ()
        joined = collections.defaultdict(list)
        for name, value in self.headers.items():
            joined[name.lower()].append(value.strip())
        for name, values in joined.items():
            key = 'HTTP_' + name.upper().replace('-', '_')
            if key in environ:
                environ[key] = ','.join(values)
        return environ


class Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    """Serves an application on a free port of 127.0.0.1."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, app):
        super().__init__(('127.0.0.1', 0), _Handler)
        self.set_app(app)

    def server_bind(self):
        # Not WSGIServer's: it asks the DNS for the name of the address.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address
        self.setup_environ()

    def serve_forever(self, poll_interval=None):
        # Not socketserver's: its selector blocks every green thread of the
        # releases of Nova that run on eventlet.
        while True:
            try:
                request, client = self.get_request()
            except OSError:
                LOG.exception('a connection was lost before its request')
                continue
            self.process_request(request, client)

    @property
    def url(self):
        """The address of the server, without a slash at its end."""
        return 'http://127.0.0.1:%d' % self.server_port
