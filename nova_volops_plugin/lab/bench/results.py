# SPDX-License-Identifier: Apache-2.0

"""The results of measurements, and their files."""

import collections
import dataclasses
import json

from nova_volops_plugin.cloud import profiles
from nova_volops_plugin.lab.bench import quartiles

# What is counted: requests of the client, messages, SQL statements of Nova,
# calls to Cinder, those of them that were refused, and calls to placement.
KINDS = ('rest', 'rpc', 'sql', 'cinder', 'refused', 'placement')


@dataclasses.dataclass(frozen=True)
class Sample:
    """One measurement.

    :param variant: which of those that are compared
    :param size: where on the axis, for example the number of volumes
    :param seconds: how long it took
    :param counts: a dict of some of KINDS and int
    :param extra: more that was measured, a dict of a name with its unit and
        a number
    """

    variant: str
    size: float
    seconds: float
    counts: dict = dataclasses.field(default_factory=dict)
    extra: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Result:
    """All measurements of one benchmark.

    :param name: the benchmark's name
    :param base: the name of the base
    :param samples: a list of :class:`Sample`, in the order they were taken
    :param calls: by variant and size a dict of kinds, each a dict of the names
        that were counted last
    :param skipped: what could not be measured, each a sentence
    :param machine: facts, a dict of str
    :param profile: the kind of cloud
    """

    name: str
    base: str
    samples: list = dataclasses.field(default_factory=list)
    calls: dict = dataclasses.field(default_factory=dict)
    skipped: list = dataclasses.field(default_factory=list)
    machine: dict = dataclasses.field(default_factory=dict)
    profile: str = profiles.DEFAULT

    @property
    def label(self):
        """The base and the kind of cloud, as names of files begin."""
        if self.profile == profiles.DEFAULT:
            return self.base
        return '%s-%s' % (self.base, self.profile)

    def variants(self):
        """Return the names of the variants, in the order they came."""
        return list(dict.fromkeys(sample.variant for sample in self.samples))

    def sizes(self):
        """Return the sorted sizes."""
        return sorted({sample.size for sample in self.samples})

    def of(self, variant, size):
        """Return the samples of a variant at a size."""
        return [sample for sample in self.samples
                if (sample.variant, sample.size) == (variant, size)]

    def seconds(self, variant, size):
        """Return the Quartiles of the seconds, None when there are none."""
        found = self.of(variant, size)
        return quartiles.of([sample.seconds for sample in found]) \
            if found else None

    def counts(self, variant, size, kind):
        """Return the different counts that were seen, sorted."""
        return sorted({sample.counts[kind] for sample in self.of(variant, size)
                       if kind in sample.counts})

    def dump(self):
        """Return it as JSON, a str."""
        return json.dumps(dataclasses.asdict(self), indent=1) + '\n'

    @classmethod
    def load(cls, text):
        """Return the result that :meth:`dump` made a text of."""
        fields = json.loads(text)
        fields['samples'] = [Sample(**row) for row in fields['samples']]
        return cls(**fields)


def totals(entries):
    """Return the counts of some requests together.

    :param entries: dicts as the ledger gives them
    :returns: a dict of int by those of KINDS that are known, and a dict of
        kinds with the names
    """
    names = collections.defaultdict(collections.Counter)
    for entry in entries:
        for kind, counted in entry['counts'].items():
            names[kind].update(counted)
    counts = {kind: sum(names[kind].values())
              for kind in KINDS if kind in names}
    counts['rest'] = len(entries)
    return counts, {kind: dict(sorted(names[kind].items()))
                    for kind in KINDS if names[kind]}
