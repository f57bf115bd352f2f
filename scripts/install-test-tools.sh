#!/bin/sh
# Debian packages that some tests use when they are there: foreign proxies, a pooler for PostgreSQL, a second
# decoder of OTLP, and an editor.
# Without them those tests say so and are left out. nginx and tinyproxy are only run by the tests, never as services.
set -eu
apt-get install -y --no-install-recommends nginx-light tinyproxy-bin pgbouncer protobuf-compiler neovim
