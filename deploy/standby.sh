#!/bin/sh
# Test equipment: a PostgreSQL with a standby on one machine, with Debian's packages, for trying what a failover does. As root.
#
#   standby.sh make      two servers, 5501 and 5502; the second has every commit before it is acknowledged
#   standby.sh fail      the primary dies
#   standby.sh promote   the standby takes its place
#   standby.sh rejoin    the dead one becomes the standby of the new primary
#   standby.sh remove    takes everything away again
set -eu

version=$(ls /usr/lib/postgresql 2>/dev/null | sort -n | tail -1)
if [ -z "$version" ] || ! command -v pg_createcluster >/dev/null; then
  echo 'Install the package postgresql (15 or newer).' >&2
  exit 1
fi
here=$(cd "$(dirname "$0")" && pwd)
first=tours_first
second=tours_second

port_of() { [ "$1" = "$first" ] && echo 5501 || echo 5502; }
folder_of() { echo "/var/lib/postgresql/$version/$1"; }
is_up() { pg_lsclusters -h "$version" "$1" | grep -q ' online'; }
# Prints "t" for a standby.
in_recovery() { su postgres -c "psql -p $(port_of "$1") -Atc 'select pg_is_in_recovery()'"; }
other_of() { [ "$1" = "$first" ] && echo "$second" || echo "$first"; }

primary() {
  for name in "$first" "$second"; do
    if is_up "$name" && [ "$(in_recovery "$name")" = f ]; then
      echo "$name"
      return
    fi
  done
  echo 'No primary is running.' >&2
  return 1
}

# Makes $1 anew as a copy of $2 that follows it.
copy_from() {
  su postgres -c "rm -rf '$(folder_of "$1")'"
  su postgres -c "pg_basebackup -p $(port_of "$2") -D '$(folder_of "$1")' -R -X stream -c fast"
  pg_ctlcluster "$version" "$1" start
}

# Settings of server $1; $2 names the standbys that must have a commit before it is acknowledged: '*' or nobody.
settings() {
  cat >"/etc/postgresql/$version/$1/conf.d/tours.conf" <<CONF
wal_level = replica
# enough for a standby that was away for minutes
wal_keep_size = 256MB
synchronous_standby_names = '$2'
CONF
}

case "${1:-}" in
make)
  for name in "$first" "$second"; do
    pg_createcluster "$version" "$name" --port "$(port_of "$name")" -- --data-checksums >/dev/null
    settings "$name" ''
  done
  pg_ctlcluster "$version" "$first" start
  app_password=$(openssl rand -hex 12)
  owner_password=$(openssl rand -hex 12)
  su postgres -c "createdb -p 5501 tour_operations"
  su postgres -c "PGPORT=5501 POSTGRES_USER=postgres POSTGRES_DB=tour_operations POSTGRES_PASSWORD=unused \
    OWNER_PASSWORD=$owner_password APP_PASSWORD=$app_password sh -s" <"$here/postgres-logins.sh"
  copy_from "$second" "$first"
  # only now: without a standby nothing would be acknowledged
  settings "$first" '*'
  pg_ctlcluster "$version" "$first" reload
  servers='127.0.0.1:5501,127.0.0.1:5502/tour_operations'
  echo "DATABASE_URL=postgres://app_login:$app_password@$servers"
  echo "MIGRATION_DATABASE_URL=postgres://app_owner:$owner_password@$servers"
  ;;
fail)
  pg_ctlcluster "$version" "$(primary)" stop -m immediate
  ;;
promote)
  for name in "$first" "$second"; do
    if is_up "$name" && [ "$(in_recovery "$name")" = t ]; then
      # the one that is gone cannot confirm anything; "rejoin" asks for confirmations again
      settings "$name" ''
      pg_ctlcluster "$version" "$name" reload
      pg_ctlcluster "$version" "$name" promote
    fi
  done
  ;;
rejoin)
  now=$(primary)
  gone=$(other_of "$now")
  if is_up "$gone"; then pg_ctlcluster "$version" "$gone" stop -m fast; fi
  copy_from "$gone" "$now"
  settings "$now" '*'
  pg_ctlcluster "$version" "$now" reload
  ;;
remove)
  for name in "$first" "$second"; do pg_dropcluster --stop "$version" "$name" || true; done
  ;;
*)
  sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
  exit 1
  ;;
esac
