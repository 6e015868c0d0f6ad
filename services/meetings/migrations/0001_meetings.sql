create table rooms (
  id text primary key,
  name text not null,
  -- Names are unique by this key (`unique_key`).
  name_key text not null,
  size integer not null check (size > 0),
  -- Departments that may book the room. Empty: everyone.
  department_ids text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Meetings that have a deleted room keep its name; it cannot be booked.
  deleted_at timestamptz,
  version integer not null default 1
);
create unique index rooms_by_name on rooms (name_key) where deleted_at is null;

-- A recurring meeting: its rule, and the initial values of occurrences created later.
create table series (
  id text primary key,
  -- UID of RFC 5545. A meeting that became a series keeps its own.
  calendar_id text not null,
  sequence integer not null default 0,
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
  -- The rest of the rule, as the API represents it.
  recurrence jsonb not null default '{"interval": 1, "weekdays": [], "monthlyOn": "date"}'
    check (jsonb_typeof(recurrence -> 'interval') = 'number' and jsonb_typeof(recurrence -> 'weekdays') = 'array'),
  first_start timestamptz not null,
  duration_ms bigint not null check (duration_ms > 0),
  timezone text not null,
  last_day text check (last_day ~ '^\d{4}-\d{2}-\d{2}$'),
  -- Starts of the rule that were cancelled individually.
  excluded timestamptz[] not null default '{}',
  -- Every start of the rule up to here has its meeting. `complete`: there is no later one.
  filled_until timestamptz,
  complete boolean not null,
  title text not null,
  description text not null,
  type text not null,
  location text not null,
  meeting_link text not null,
  agenda text not null,
  project_id text,
  room_id text references rooms (id),
  organizer_id text not null,
  participant_ids text[] not null,
  constraint series_max_duration check (duration_ms <= 86400000)
);
create index series_to_fill on series (filled_until) where not complete;

create table meetings (
  id text primary key,
  series_id text references series (id),
  -- The start by the rule, even after the meeting was moved (RECURRENCE-ID of RFC 5545).
  original_start timestamptz,
  title text not null,
  description text not null,
  type text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  timezone text not null,
  location text not null,
  meeting_link text not null,
  agenda text not null,
  notes text not null default '',
  summary text not null default '',
  project_id text,
  room_id text references rooms (id),
  organizer_id text not null,
  sequence integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  -- The version of the last edit. Responses increment `version` only, so that they do not make an open form stale.
  edited_version integer not null default 1,
  check (ends_at > starts_at),
  -- A range of time is a range of starts with a constant margin. Elapsed time: a calendar day may have 25 hours.
  constraint meetings_max_duration check (ends_at <= starts_at + interval '24 hours'),
  check ((series_id is null) = (original_start is null)),
  -- Deferrable, so that one statement can move a whole series by a day.
  unique (series_id, original_start) deferrable initially immediate
);
create index meetings_by_start on meetings (starts_at, id);
create index meetings_by_end on meetings (ends_at, starts_at, id);
create index meetings_by_project on meetings (project_id, starts_at, id) where project_id is not null;
create index meetings_of_room on meetings (room_id, ends_at) where room_id is not null;

-- A second line of defense behind the lock on the room. Checked at the commit, because a series moves through itself. Without the extension
-- there is only the lock.
do $$
begin
  create extension if not exists btree_gist;
  alter table meetings add constraint meetings_room_excl
    exclude using gist (room_id with =, tstzrange(starts_at, ends_at) with &&) where (room_id is not null)
    deferrable initially deferred;
exception
  when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'btree_gist is not available: %', sqlerrm;
end
$$;

-- Everyone invited, including the organizer. The times repeat those of the meeting, so that one index range holds all of a user.
create table participants (
  meeting_id text not null references meetings (id) on delete cascade,
  user_id text not null,
  position integer not null,
  response text not null default 'pending' check (response in ('pending', 'accepted', 'declined', 'tentative')),
  -- By the clock of the device or email that responded: a reply that arrives later may be older.
  answered_at timestamptz,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- The start that a reminder was sent for. A meeting that moves has another start, and another reminder.
  reminded_start timestamptz,
  -- Invited to this occurrence of a series but not to the series.
  is_guest boolean not null default false,
  primary key (meeting_id, user_id)
);
create index participants_by_user on participants (user_id, starts_at, meeting_id) include (ends_at, response);
create index participants_guests on participants (meeting_id) where is_guest;

-- The revision (SEQUENCE of RFC 5545) of the last request for responses. A reply to an earlier revision is about other times.
create table rsvp_requests (
  meeting_id text primary key references meetings (id) on delete cascade,
  sequence integer not null
);
create table series_rsvp_requests (
  series_id text primary key references series (id) on delete cascade,
  sequence integer not null
);

-- The series of a deleted occurrence, so that links in its emails lead to the remaining ones.
create table cancelled_dates (
  meeting_id text primary key,
  series_id text not null references series (id) on delete cascade,
  original_start timestamptz not null
);
create index cancelled_dates_of_series on cancelled_dates (series_id);

-- Agenda items: [{ title, minutes, userId }]. Occurrences created later start with those of the series.
create table agendas (
  meeting_id text primary key references meetings (id) on delete cascade,
  items jsonb not null
);
create table series_agendas (
  series_id text primary key references series (id) on delete cascade,
  items jsonb not null
);

-- Closed meetings. `post` is the state of the summary in the project's conversation: nothing to post ('none'), 'requested', 'posted',
-- or 'rejected'. A reopened meeting may be closed again: effects elsewhere name the closing by its `id`.
create table closings (
  meeting_id text primary key references meetings (id) on delete cascade,
  id text not null,
  closed_by text not null,
  closed_at timestamptz not null default now(),
  project_id text,
  post text not null check (post in ('none', 'requested', 'posted', 'rejected')),
  conversation_id text,
  seq bigint,
  rejection text
);
create unique index closings_by_id on closings (id);

-- `project_id` is the project in which the task is requested: that of the meeting when it was closed. Outcomes of earlier attempts are ignored,
-- and changes of the task apply only if they are newer than `task_version`.
create table decisions (
  id text primary key,
  meeting_id text not null references meetings (id) on delete cascade,
  position integer not null,
  text text not null,
  assigned_to text,
  due_date timestamptz,
  project_id text,
  state text not null check (state in ('standalone', 'requested', 'task', 'rejected', 'task-deleted')),
  attempt integer not null default 0,
  task_id text,
  task_status text,
  task_version integer not null default 0,
  rejection text,
  done boolean not null default false,
  created_at timestamptz not null default now(),
  unique (meeting_id, position)
);
create unique index decisions_of_task on decisions (task_id) where task_id is not null;
create index decisions_of_project on decisions (project_id) where project_id is not null;
create index decisions_open on decisions (meeting_id) where not done;

-- Secret URLs from which calendar apps read a user's meetings. Only the hash is stored.
create table feeds (
  user_id text primary key,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  -- To within an hour.
  read_at timestamptz
);

create function set_room_name_key() returns trigger language plpgsql as $$
begin
  new.name_key := unique_key(new.name);
  return new;
end
$$;
create trigger rooms_set_name_key before insert or update of name on rooms for each row execute function set_room_name_key();

-- Responses in the app carry no time, so that of the write is recorded.
create function set_answered_at() returns trigger language plpgsql as $$
begin
  new.answered_at := now();
  return new;
end
$$;
create trigger participants_set_answered_at before update of response on participants for each row
  when (new.response <> 'pending' and new.answered_at is not distinct from old.answered_at)
  execute function set_answered_at();

create function update_series_guests() returns trigger language plpgsql as $$
begin
  update participants p set is_guest = not p.is_guest
  from meetings m where m.series_id = new.id and p.meeting_id = m.id and p.is_guest = (p.user_id = any(new.participant_ids));
  return null;
end $$;
create trigger series_update_guests after update of participant_ids on series for each row
  when (old.participant_ids is distinct from new.participant_ids)
  execute function update_series_guests();

-- Revisions of another series are counted from the start.
create function delete_rsvp_request() returns trigger language plpgsql as $$
begin
  delete from rsvp_requests where meeting_id = new.id;
  return null;
end $$;
create trigger meetings_change_series after update of series_id on meetings for each row
  when (old.series_id is not null and new.series_id is distinct from old.series_id)
  execute function delete_rsvp_request();

create function copy_series_agenda() returns trigger language plpgsql as $$
begin
  insert into agendas (meeting_id, items)
  select inserted.id, a.items from inserted join series_agendas a on a.series_id = inserted.series_id
  on conflict (meeting_id) do nothing;
  return null;
end $$;
create trigger meetings_copy_series_agenda after insert on meetings referencing new table as inserted
  for each statement execute function copy_series_agenda();

-- Nothing is recorded for a series that is deleted as a whole.
create function record_cancelled_dates() returns trigger language plpgsql as $$
begin
  insert into cancelled_dates (meeting_id, series_id, original_start)
  select deleted.id, deleted.series_id, deleted.original_start from deleted join series s on s.id = deleted.series_id
  where deleted.original_start is not null
  on conflict (meeting_id) do nothing;
  return null;
end $$;
create trigger meetings_record_cancelled_dates after delete on meetings referencing old table as deleted
  for each statement execute function record_cancelled_dates();
