-- Up Migration

-- A meeting that was closed, and what became of its summary in the conversation of its project: there was nothing to be said ('none'), chat has
-- been told ('sent'), it stands there ('posted'), or it does not ('refused').
create table closings (
  meeting_id text primary key references meetings (id) on delete cascade,
  closed_by text not null,
  closed_at timestamptz not null default now(),
  project_id text,
  post text not null check (post in ('none', 'sent', 'posted', 'refused')),
  conversation_id text,
  seq bigint,
  refusal text
);

-- What was decided. `project_id` is where its task is asked for: the meeting's when it was closed. What is heard of an attempt is of the last one
-- only; what is heard of its task, only if it is newer.
create table decisions (
  id text primary key,
  meeting_id text not null references meetings (id) on delete cascade,
  position integer not null,
  text text not null,
  assigned_to text,
  due_date timestamptz,
  project_id text,
  state text not null check (state in ('kept', 'sent', 'task', 'refused', 'gone')),
  attempt integer not null default 0,
  task_id text,
  task_status text,
  task_version integer not null default 0,
  refusal text,
  done boolean not null default false,
  created_at timestamptz not null default now(),
  unique (meeting_id, position)
);
create unique index decisions_of_task on decisions (task_id) where task_id is not null;
create index decisions_of_project on decisions (project_id) where project_id is not null;
-- What is open is looked for among the meetings that somebody sees.
create index decisions_open on decisions (meeting_id) where not done;

-- Items of the agenda, [{ title, minutes, userId }]: of a meeting, and what the meetings that a series is filled with later begin with. Not a column of
-- theirs, so that pods of before, which know of no agenda, write meetings as they did.
create table agendas (
  meeting_id text primary key references meetings (id) on delete cascade,
  items jsonb not null
);
create table series_agendas (
  series_id text primary key references series (id) on delete cascade,
  items jsonb not null
);

-- Whichever pod fills a series.
create function take_agenda_of_series() returns trigger language plpgsql as $$
begin
  insert into agendas (meeting_id, items)
  select made.id, a.items from made join series_agendas a on a.series_id = made.series_id
  on conflict (meeting_id) do nothing;
  return null;
end $$;
create trigger meetings_take_agenda after insert on meetings referencing new table as made
  for each statement execute function take_agenda_of_series();

-- Down Migration

drop trigger meetings_take_agenda on meetings;
drop function take_agenda_of_series();
drop table series_agendas;
drop table agendas;
drop table decisions;
drop table closings;
