-- Up Migration

-- By which address a person's calendar program reads their meetings. The address itself is nowhere.
create table feeds (
  user_id text primary key,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  -- When it was last asked for, to within an hour.
  read_at timestamptz
);

-- Down Migration

drop table feeds;
