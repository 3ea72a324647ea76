# SPDX-License-Identifier: Apache-2.0

import sys

from nova_volops_plugin.cloud.embedded import variables

# Modules of Nova's interpreter have the same names here as there.
sys.path.append(str(variables.INSIDE))
