-- Up Migration

-- Why a session ended before it expired, for the browser that comes with its current refresh token.
create table ended_sessions (
  session_id text primary key,
  token_hash bytea not null,
  reason text not null,
  ended_at timestamptz not null default now()
);
create index ended_sessions_by_age on ended_sessions (ended_at);

-- Down Migration

drop table ended_sessions;
