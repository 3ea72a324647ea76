# SPDX-License-Identifier: Apache-2.0

import configparser
import pathlib
import re

import testtools
import yaml

from nova_volops_plugin.bases import base

TOP = pathlib.Path(__file__).parents[3]
# Jobs that Zuul's own repositories define.
UPSTREAM = {'devstack-plugin-ceph-tempest-py3', 'devstack-tempest',
            'openstack-tox', 'openstack-tox-pep8',
            'tempest-multinode-full-py3'}


class ZuulTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        items = yaml.safe_load((TOP / '.zuul.yaml').read_text())
        self.jobs = {item['job']['name']: item['job']
                     for item in items if 'job' in item}
        templates = {item['project-template']['name']: item['project-template']
                     for item in items if 'project-template' in item}
        project, = [item['project'] for item in items if 'project' in item]
        self.run_by = [project, *map(templates.get, project['templates'])]

    def names(self, pipeline):
        return {name for project in self.run_by if pipeline in project
                for job in project[pipeline]['jobs']
                for name in ([job] if isinstance(job, str) else job)}

    def test_every_job_is_run(self):
        wanted = {name for name, job in self.jobs.items()
                  if not job.get('abstract')}
        self.assertEqual(wanted, self.names('check'))
        self.assertNotEqual(set(), self.names('gate'))
        self.assertEqual(set(), self.names('gate') - self.names('check'))

    def test_parents_exist(self):
        for job in self.jobs.values():
            self.assertIn(job['parent'], UPSTREAM | set(self.jobs))

    def test_tox_environments_exist(self):
        parser = configparser.RawConfigParser()
        parser.read(TOP / 'tox.ini')
        names = set()
        for section in parser.sections():
            name = section.partition('testenv:')[2]
            names.update(name.strip('{}').split(','))
        for job in self.jobs.values():
            environment = job.get('vars', {}).get('tox_envlist')
            if environment and job['parent'] == 'openstack-tox':
                self.assertIn(environment, names)

    def test_bases_exist(self):
        """A job's name and arguments name the same base, which there is."""
        named = {}
        for name, job in self.jobs.items():
            arguments = job.get('vars', {}).get('tox_extra_args', '')
            if arguments.startswith('-- patch test '):
                named[name] = 'nova-volops-series-' + arguments.split()[-1]
        self.assertNotEqual({}, named)
        self.assertEqual(list(named), list(named.values()))
        self.assertEqual(set(), set(named) - {
            'nova-volops-series-%s' % name for name in base.names()})

    def test_tempest_regexes_find_this_repositorys_tests(self):
        modules = ['.'.join(path.relative_to(TOP).with_suffix('').parts)
                   for path in (TOP / 'tempest_plugin').rglob('test_*.py')]
        for job in self.jobs.values():
            regex = job.get('vars', {}).get('tempest_test_regex')
            if regex:
                self.assertTrue(
                    any(re.search(regex, name) for name in modules), regex)

    def test_devstack_jobs_have_the_plugin(self):
        for name in self.names('check'):
            if 'devstack' not in name:
                continue
            job, plugins = self.jobs[name], None
            while plugins is None and job:
                plugins = job.get('vars', {}).get('devstack_plugins')
                job = self.jobs.get(job['parent'])
            self.assertIn('nova-volops', plugins or {}, name)
