"""The addresses of the services a bundle may be published at. No other module names one."""

ZENODO = "https://zenodo.org"
GITHUB_API = "https://api.github.com"
GITHUB_UPLOADS = "https://uploads.github.com"
GITHUB_PAGES = "https://github.com"
