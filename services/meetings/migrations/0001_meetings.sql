-- Up Migration

-- A recurring meeting: its rule, and what occurrences made later begin with.
create table series (
  id text primary key,
  -- What calendar programs know it by (RFC 5545, UID): a meeting that became a series keeps its own.
  calendar_id text not null,
  sequence integer not null default 0,
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
  first_start timestamptz not null,
  duration_ms bigint not null check (duration_ms > 0),
  timezone text not null,
  last_day text check (last_day ~ '^\d{4}-\d{2}-\d{2}$'),
  -- Starts that the rule gives but that were cancelled alone.
  excluded timestamptz[] not null default '{}',
  -- Every start of the rule up to here has its meeting; `complete` when there is none beyond.
  filled_until timestamptz,
  complete boolean not null,
  title text not null,
  description text not null,
  type text not null,
  location text not null,
  meeting_link text not null,
  agenda text not null,
  project_id text,
  organizer_id text not null,
  participant_ids text[] not null
);
create index series_to_fill on series (filled_until) where not complete;

create table meetings (
  id text primary key,
  series_id text references series (id),
  -- When the rule put it, whatever happened since (RFC 5545, RECURRENCE-ID).
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
  organizer_id text not null,
  sequence integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  -- The version that the last edit made. Answers count in `version` only, so that they do not make an open form stale.
  edited_version integer not null default 1,
  check (ends_at > starts_at),
  check ((series_id is null) = (original_start is null)),
  -- Deferrable, so that one statement may move a whole series by a day.
  unique (series_id, original_start) deferrable initially immediate
);
-- What administrators list: everything.
create index meetings_by_start on meetings (starts_at, id);
create index meetings_by_end on meetings (ends_at, starts_at, id);

-- Who is invited, the organiser among them. The times repeat the meeting's, so that a person's range is one index range.
create table participants (
  meeting_id text not null references meetings (id) on delete cascade,
  user_id text not null,
  position integer not null,
  response text not null default 'pending' check (response in ('pending', 'accepted', 'declined', 'tentative')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (meeting_id, user_id)
);
create index participants_by_start on participants (user_id, starts_at, meeting_id);
create index participants_by_end on participants (user_id, ends_at, starts_at, meeting_id);

-- Down Migration

drop table participants;
drop table meetings;
drop table series;
