# SPDX-License-Identifier: Apache-2.0

"""Values that match a JSON schema, and values that nearly do."""

import copy

NASTY = (
    None, True, False, 0, -1, 1, 2 ** 31, 2 ** 63, 2 ** 200, 1.5, -0.0, '',
    ' ', 'x' * 256, 'x' * 70000, '\x00', '\ud800', '\U0001f600', '../..',
    "' OR 1=1 --", '%s%n', '<xml/>', 'null', 'ro ', 'RO', 'rw\n', 'none',
    '/dev/vd' + 'a' * 300, '/dev/\u00e9', [], [[]], {}, {'': ''}, [None],
    {'a': {'b': {'c': {}}}}, ['x'] * 300)


class Values:
    """Makes values, the same for the same random numbers.

    :param random: a :class:`random.Random`
    :param known: strings that mean something, such as UUIDs, a list
    """

    def __init__(self, random, known):
        self._random = random
        self._known = known

    def fitting(self, schema):
        """Return a value that fits a schema, as far as that is easy."""
        random = self._random
        for key in ('anyOf', 'oneOf'):
            if key in schema:
                return self.fitting(random.choice(schema[key]))
        if 'enum' in schema:
            return random.choice(list(schema['enum']))
        kind = schema.get('type', 'string')
        if isinstance(kind, (list, tuple)):
            kind = random.choice(kind)
        return getattr(self, '_' + kind)(schema)

    def _object(self, schema):
        properties = schema.get('properties', {})
        required = schema.get('required', ())
        return {name: self.fitting(value)
                for name, value in properties.items()
                if name in required or self._random.random() < 0.3}

    def _array(self, schema):
        items = schema.get('items', {})
        low = schema.get('minItems', 0)
        return [self.fitting(items) for _ in range(
            self._random.randint(low, low + 2))]

    def _string(self, schema):
        if self._random.random() < 0.7:
            return self._random.choice(self._known)
        low = schema.get('minLength', 0)
        high = min(schema.get('maxLength', low + 20), 300)
        return 'a' * self._random.choice((low, high, (low + high) // 2))

    def _integer(self, schema):
        low = schema.get('minimum', 0)
        return self._random.choice(
            (low, low + 1, schema.get('maximum', 2 ** 31)))

    _number = _integer

    def _boolean(self, schema):
        return self._random.random() < 0.5

    def _null(self, schema):
        return None

    def spoilt(self, value):
        """Return a copy of a value with one or two places made wrong."""
        box = [copy.deepcopy(value)]
        for _ in range(self._random.choice((1, 1, 2))):
            places = list(_places(box))
            where, key = self._random.choice(places)
            what = self._random.random()
            if what < 0.15 and isinstance(where, dict):
                del where[key]
            elif what < 0.3 and isinstance(where[key], dict):
                where[key]['unheard_of'] = self._random.choice(NASTY)
            elif what < 0.4 and isinstance(where, list) and where is not box:
                where.append(copy.deepcopy(where[key]))
            elif what < 0.6:
                where[key] = self._random.choice(self._known)
            else:
                where[key] = copy.deepcopy(self._random.choice(NASTY))
        return box[0]


def _places(value):
    """Yield the pairs of container and key of all that is in a value."""
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in list(keys):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from _places(value[key])
