"""How the site is built: Sphinx over Markdown, self-contained, no network when it is read."""

from importlib.metadata import version as installed_version

project = "schedule-spec"
author = "The schedule-spec maintainers"
version = release = installed_version("schedule-spec")

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "deflist"]

html_theme = "furo"
html_title = f"schedule-spec {version}"
html_copy_source = False
html_show_sphinx = False
nitpicky = True
