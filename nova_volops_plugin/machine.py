# SPDX-License-Identifier: Apache-2.0

"""The machine that a measurement ran on."""

import datetime
import os
import platform

import psutil


def facts():
    """Return what decides how fast it is, a dict of str."""
    return {
        'processor': _processor(),
        'cores': '%d' % (os.cpu_count() or 0),
        'memory': '%.0f GiB' % (psutil.virtual_memory().total / 2 ** 30),
        'kernel': platform.release(),
        'system': _system(),
        'load before': '%.1f' % os.getloadavg()[0],
        'date': datetime.datetime.now(datetime.timezone.utc).strftime(
            '%Y-%m-%d'),
    }


def _processor():
    try:
        with open('/proc/cpuinfo') as lines:
            for line in lines:
                if line.startswith('model name'):
                    return line.partition(':')[2].strip()
    except OSError:
        pass
    return platform.machine()


def _system():
    try:
        return platform.freedesktop_os_release()['PRETTY_NAME']
    except OSError:
        return platform.system()
