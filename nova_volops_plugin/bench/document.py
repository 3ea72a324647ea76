# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Writes what the documentation shows of the results."""

from nova_volops_plugin.bench import plot
from nova_volops_plugin.bench import table


def write(folder, found, benchmarks, plots=True):
    """Write the tables and the plots.

    :param folder: a path; it is made when missing
    :param found: a list of :class:`nova_volops_plugin.bench.results.Result` of
        one base and profile
    :param benchmarks: the modules of the benchmarks
    :param plots: whether to write plots
    :raises VolopsError: matplotlib is not installed
    """
    folder.mkdir(parents=True, exist_ok=True)
    modules = {benchmark.NAME: benchmark for benchmark in benchmarks}
    for result in found:
        benchmark = modules[result.name]
        if plots and table.has_picture(result, benchmark):
            (folder / table.picture(result)).write_text(
                plot.svg(result, benchmark))
    if found:
        (folder / (found[0].label + '.txt')).write_text(
            table.document(found, benchmarks, plots))
