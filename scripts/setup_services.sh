#!/usr/bin/env bash
# Installs the PostgreSQL server that the team service is tested against (the tests start a cluster of their own).
# Debian and Ubuntu as root; elsewhere it says what is missing and ends with 1.
set -euo pipefail
if compgen -G "/usr/lib/postgresql/*/bin/postgres" >/dev/null || command -v postgres >/dev/null; then
  exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  # no cluster at installation: tests make theirs in a temporary directory
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null
else
  echo "setup_services: no PostgreSQL server here; the tests that need one are skipped (Debian: apt install postgresql)."
  exit 1
fi
