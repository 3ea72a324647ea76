# SPDX-License-Identifier: Apache-2.0

"""Writes many commits with one git process.

Files are a dict of path and (mode, content), or None for what is deleted. A
content is bytes, or the id of a blob that is there, a str.
"""

# A commit needs the name of a branch; it is forgotten before git writes it.
_BRANCH = b'refs/nova-volops/none'


def commits(git, start, steps):
    """Return the ids of new commits, each on the one before.

    :param git: a :class:`nova_volops_plugin.bases.git.Git`
    :param start: the id of the commit below them, None for none
    :param steps: a list of author and committer (each name, address and date
        "SECONDS +HHMM"), the message (bytes) and the files
    """
    # The states of one file follow each other, which packs them well.
    states = sorted({
        (path, number) for number, (*_by, files) in enumerate(steps)
        for path, file in files.items()
        if file and isinstance(file[1], bytes)})
    marks = {state: ':%d' % mark for mark, state in enumerate(
        states, 1 + len(steps))}
    feed = []
    for path, number in states:
        feed += b'blob\nmark %s\n' % marks[path, number].encode(), _data(
            steps[number][-1][path][1])
    for number, (author, committer, message, files) in enumerate(steps):
        feed += (b'commit %s\nmark :%d\n' % (_BRANCH, number + 1),
                 _bytes('author %s <%s> %s\n' % author),
                 _bytes('committer %s <%s> %s\n' % committer),
                 _data(message), b'from %s\n' % start.encode()
                 if start and not number else b'')
        # Deletions come first: a file may give way to a folder.
        for path, file in sorted(
                files.items(), key=lambda item: bool(item[1])):
            feed.append(_bytes(
                'M %s %s %s\n' % (
                    file[0], marks.get((path, number), file[1]),
                    _quoted(path))
                if file else 'D %s\n' % _quoted(path)))
    feed += [b'reset %s\n\n' % _BRANCH, *(
        b'get-mark :%d\n' % (number + 1) for number in range(len(steps))),
        b'done\n']
    return git.run('fast-import', '--quiet', '--done',
                   stdin=b''.join(feed)).decode().split()


def _data(content):
    return b'data %d\n%s\n' % (len(content), content)


def _bytes(text):
    return text.encode(errors='surrogateescape')


def _quoted(path):
    return '"%s"' % path.replace('\\', '\\\\').replace('"', '\\"').replace(
        '\n', '\\n')
