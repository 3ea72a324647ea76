# SPDX-License-Identifier: Apache-2.0

import setuptools
from setuptools.command import build_py

TESTS = 'nova_volops_plugin.tests'


class BuildWithoutTests(build_py.build_py):
    """Who installs the package runs none of its tests."""

    def finalize_options(self):
        super().finalize_options()
        self.packages = [name for name in self.packages
                         if name != TESTS and not name.startswith(TESTS + '.')]

    def find_data_files(self, package, src_dir):
        return [name for name in super().find_data_files(package, src_dir)
                if '/tests/' not in name]


# pbr puts commands of its own in the place of those that setup() is given.
build_py.build_py = BuildWithoutTests
setuptools.setup(setup_requires=['pbr>=6.1.1'], pbr=True)
