"""How the site is built: Sphinx over Markdown, self-contained, no network when it is read."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

project = "schedule-spec"
author = "The schedule-spec maintainers"
version = release = installed_version("schedule-spec")

extensions = ["myst_parser", "docs._ext.living"]
exclude_patterns = ["_build", "_ext", "_parts"]
myst_heading_anchors = 3
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist"]
smartquotes = False  # a clause's sentence is shown to the letter

html_theme = "furo"
html_title = f"schedule-spec {version}"
html_static_path = ["_static"]
html_css_files = ["living.css"]
html_js_files = ["matrix.js"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
nitpicky = True
