#!/bin/sh
# Makes each database the property of its service's role, where an Atrium that was told POSTGRES_URL has made it as the superuser
# (deploy/compose.yaml says when). What belongs to an extension stays with it. It may run again.
set -eu
sh "$(dirname "$0")/databases.sh"
for service in auth users projects meetings documents chat; do
  psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "atrium_$service" --set role="atrium_$service" <<'SQL'
create temporary view mine as
  select 'table' as kind, c.oid::regclass::text as name, 'pg_class'::regclass as list, c.oid, c.relowner as owner
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm') and n.nspname = 'public'
  union all
  select 'routine', p.oid::regprocedure::text, 'pg_proc'::regclass, p.oid, p.proowner
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public';
select format('alter database %I owner to %I', :'role', :'role') \gexec
select format('alter %s %s owner to %I', kind, name, :'role') from mine
  where owner <> :'role'::regrole
    and not exists (select from pg_depend d where d.classid = mine.list and d.objid = mine.oid and d.deptype = 'e') \gexec
SQL
done
