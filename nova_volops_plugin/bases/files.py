# SPDX-License-Identifier: Apache-2.0

"""Reads untrusted text files, and writes files atomically."""

import configparser
import io
import os
import stat

from nova_volops_plugin import exceptions

# A patch of a whole feature with its API samples is some hundred kB.
MAX_BYTES = 8 * 1024 * 1024


def read(path):
    """Return a file's bytes.

    :param path: a :class:`pathlib.Path`
    :raises BadInput: it is missing, no regular file or over MAX_BYTES
    """
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            raise exceptions.BadInput(
                '%s is not a regular file; a series holds no links, pipes '
                'or folders' % path)
        if found.st_size > MAX_BYTES:
            raise exceptions.BadInput(
                '%s has %d bytes; at most %d are read' %
                (path, found.st_size, MAX_BYTES))
        return path.read_bytes()
    except OSError as error:
        raise exceptions.BadInput(
            '%s cannot be read: %s' % (path, error.strerror))


def read_text(path):
    """Return a file's text, which must be UTF-8.

    :raises BadInput: as :func:`read`, or it is not UTF-8
    """
    try:
        return read(path).decode('utf-8')
    except UnicodeDecodeError as error:
        raise exceptions.BadInput(
            '%s is not UTF-8 at byte %d; save it as UTF-8' %
            (path, error.start))


def write_whole(path, text, mode=0o666):
    """Write a file so that whoever is killed leaves all of it or nothing.

    :param path: a :class:`pathlib.Path`
    :param mode: its mode, from which the umask takes away
    """
    part = path.with_name('.%s.part' % path.name)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with open(descriptor, 'w') as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def read_conf(path):
    """Return an INI file as a :class:`configparser.ConfigParser`.

    :raises BadInput: as :func:`read_text`, or it is no INI file
    """
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(read_text(path), source=str(path))
    except configparser.Error as error:
        raise exceptions.BadInput(
            '%s is not an INI file: %s' %
            (path, ' '.join(str(error).split())))
    return parser


def dump_conf(conf):
    """Return the text of what :func:`read_conf` returns."""
    text = io.StringIO()
    conf.write(text)
    return text.getvalue().rstrip('\n') + '\n'
