# SPDX-License-Identifier: Apache-2.0

project = 'nova-volops'
copyright = 'Nova volume operations developers'
extensions = ['cliff.sphinxext', 'openstackdocstheme', 'sphinx.ext.autodoc',
              'sphinx.ext.extlinks']
extlinks = {'bug': ('https://bugs.launchpad.net/nova/+bug/%s', '%s')}
html_theme = 'openstackdocs'
openstackdocs_repo_name = 'openstack/nova-volops'
openstackdocs_auto_name = False
openstackdocs_use_storyboard = False
