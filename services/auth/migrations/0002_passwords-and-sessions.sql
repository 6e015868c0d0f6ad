-- Up Migration

-- Where somebody is signed in, as the list of their sessions shows it. A session has 30 days from its last use, so the last use of
-- those that are there can be told.
alter table sessions
  add column device text,
  add column address text,
  add column last_used_at timestamptz not null default now();
update sessions set last_used_at = expires_at - interval '30 days';

-- What became of the latest mail of an invitation; which one that is, its event says.
alter table invitations
  add column delivery text not null default 'queued' check (delivery in ('queued', 'sent', 'failed')),
  add column mail_event_id text;
create index invitations_open on invitations (created_at desc, id desc) where accepted_at is null;

-- Who asked for a link, known or not: each request is stored in the same way and looked at later, so that no answer takes longer
-- for an address that somebody has.
create table reset_requests (
  id bigint generated always as identity primary key,
  email text not null,
  request_id text not null
);

create table password_resets (
  id text primary key,
  user_id text not null references accounts (id) on delete cascade,
  token_hash bytea not null unique,
  -- The administrator who made it; null where its person asked for it.
  made_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_of_user on password_resets (user_id, created_at);
create index password_resets_expiry on password_resets (expires_at);

-- Down Migration

drop table password_resets;
drop table reset_requests;
drop index invitations_open;
alter table invitations drop column mail_event_id, drop column delivery;
alter table sessions drop column last_used_at, drop column address, drop column device;
