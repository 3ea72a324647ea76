# SPDX-License-Identifier: Apache-2.0

"""nova-manage volume_attachment cleanup --all on a database of any size.

It runs in the environment of a base, on the patched tree. Nova's database is
a real one; Cinder is a script that knows by arithmetic what the attachments
of a cloud of that size are, and so needs no memory for them.
"""
