# SPDX-License-Identifier: Apache-2.0

from oslo_config import cfg

from tempest_plugin.common import report

volume_ops_group = cfg.OptGroup(
    name='volume_ops',
    title="Volume features of Nova's volume operations patch series")

volume_ops_opts = [
    cfg.BoolOpt(
        'attach_mode',
        default=False,
        help='Volumes can be attached read-only, by attach_mode.'),
    cfg.StrOpt(
        'attach_mode_microversion',
        default='2.105',
        help='Compute microversion of attach_mode; each base has its own.'),
    cfg.BoolOpt(
        'multi_create',
        default=False,
        help='One request can create several servers on one multiattach '
             'volume.'),
    cfg.StrOpt(
        'multi_create_microversion',
        default='2.105',
        help='Compute microversion of multi-create on one volume; each base '
             'has its own.'),
    cfg.BoolOpt(
        'shelved_swap',
        default=False,
        help='Volumes of shelved servers can be swapped, on the host and '
             'offloaded.'),
    cfg.BoolOpt(
        'shelved_attach',
        default=False,
        help='Multiattach volumes and volumes with a tag can be attached to '
             'offloaded servers, and names follow the order of attachment.'),
    cfg.StrOpt(
        'shelved_microversion',
        default='2.106',
        help='Compute microversion of the volume operations on shelved '
             'servers; each base has its own.'),
    cfg.BoolOpt(
        'rebuild',
        default=False,
        help='A volume-backed server can be rebuilt with a new image, and a '
             'rebuild that fails leaves a server that can be rebuilt again.'),
    cfg.StrOpt(
        'rebuild_microversion',
        default='2.93',
        help='Compute microversion of the rebuild of volume-backed servers.'),
    cfg.IntOpt(
        'rebuild_failure_timeout',
        default=60,
        min=1,
        help='Seconds within which a server is ERROR after the block storage '
             'failed to re-image its root volume.'),
    cfg.BoolOpt(
        'dangling_cleanup',
        default=False,
        help='A reboot repairs attachments on which compute and block storage '
             'disagree.'),
    cfg.IntOpt(
        'dangling_attachment_age',
        default=3600,
        min=0,
        help="Nova's [compute]dangling_attachment_age, in seconds. A test "
             'that has to wait so long is skipped where that is more '
             'than a minute.'),
    cfg.StrOpt(
        'console_begin_pattern',
        default=report.BEGIN_PATTERN,
        help="Regular expression of the line that begins a report on a "
             "guest's console. Groups: number, a count of the reports since "
             "boot; image, what the image was built as."),
    cfg.StrOpt(
        'console_disk_pattern',
        default=report.DISK_PATTERN,
        help='Regular expression of the line about one block device in a '
             'report. Groups: name; size, in bytes; ro, 0 or 1; serial, the '
             "first 20 characters of the volume's UUID; head, what stands "
             "for its first bytes. Optional groups: write and forced, how a "
             "write and a write by force ended, ok or anything else."),
]
