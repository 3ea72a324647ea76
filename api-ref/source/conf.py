# SPDX-License-Identifier: Apache-2.0

project = 'nova-volops API reference'
copyright = 'Nova volume operations developers'
extensions = ['openstackdocstheme', 'os_api_ref']
html_theme = 'openstackdocs'
openstackdocs_repo_name = 'openstack/nova-volops'
openstackdocs_auto_name = False
openstackdocs_use_storyboard = False
