#!/bin/sh
# Runs once, when the database is new. The owner migrates; the application's login cannot pass row-level security.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" <<'SQL'
create role app_owner login createrole password :'password';
create role app_login login password :'password';
alter database tour_operations owner to app_owner;
alter schema public owner to app_owner;
SQL
