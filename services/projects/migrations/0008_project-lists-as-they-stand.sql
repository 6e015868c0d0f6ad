-- Up Migration

-- As before, for lists of projects.
lock table projects in share row exclusive mode;
create or replace function note_project_change() returns trigger language plpgsql as 'begin return null; end';
drop table project_list_state;
create view project_list_state as
select 0 as part, (extract(epoch from clock_timestamp()) * 1000000)::bigint as generation;
