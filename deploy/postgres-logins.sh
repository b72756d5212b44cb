#!/bin/sh
# Runs once, when the database is new. The owner migrates; the application's login cannot pass row-level security, and someone who
# learns its password must not become the owner.
set -eu
if [ "$OWNER_PASSWORD" = "$APP_PASSWORD" ] || [ "$POSTGRES_PASSWORD" = "$APP_PASSWORD" ] || [ "$POSTGRES_PASSWORD" = "$OWNER_PASSWORD" ]; then
  echo 'POSTGRES_PASSWORD, OWNER_PASSWORD and APP_PASSWORD must differ from each other.' >&2
  exit 1
fi
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set owner_password="$OWNER_PASSWORD" --set app_password="$APP_PASSWORD" <<'SQL'
create role app_owner login createrole password :'owner_password';
create role app_login login password :'app_password';
alter database tour_operations owner to app_owner;
alter schema public owner to app_owner;
SQL
