-- Up Migration

-- Browsers that signed in to an account. What they keep is stored as a hash; it says nothing of other accounts.
create table known_devices (
  user_id text not null references accounts (id) on delete cascade,
  mark_hash bytea not null,
  first_used_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (user_id, mark_hash)
);
create index known_devices_age on known_devices (last_used_at);

-- Who made the link that is open now, and when; where nothing stands, who invited and when that was.
alter table invitations add column sent_by text, add column sent_at timestamptz;

-- Down Migration

alter table invitations drop column sent_at, drop column sent_by;
drop table known_devices;
