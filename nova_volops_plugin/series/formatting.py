# SPDX-License-Identifier: Apache-2.0

"""Formats commits as patch files, reproducibly.

No setting or attribute of a tree counts: it is done in a bare repository that
has the objects of others.
"""

_FORMAT = (
    '--zero-commit', '--full-index', '--no-signature', '--no-stat',
    '--no-numbered', '--no-renames', '--no-binary', '--no-attach',
    '--no-thread', '--no-notes', '--no-ext-diff', '--no-textconv',
    '--no-color', '--unified=3', '--diff-algorithm=myers',
    '--indent-heuristic', '--src-prefix=a/', '--dst-prefix=b/',
    '--encode-email-headers')


def write(git, since, head, folder):
    """Write the commits of a straight line, a file each.

    :param git: what :func:`nova_volops_plugin.bases.git.bare` returns
    :param since: the commit before the first one
    :param head: the last one
    :param folder: where the files shall be, a :class:`pathlib.Path`
    :returns: their paths in order, a list
    """
    git.run('format-patch', '--quiet', '-o', folder, *_FORMAT,
            '%s..%s' % (since, head))
    return sorted(folder.glob('*.patch')) if folder.is_dir() else []
