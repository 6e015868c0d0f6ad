-- Up Migration

-- Accounts whose address has a canonical form that another account has, or none. Filled at start (normalizeStoredEmails).
create table email_collisions (
  id text primary key,
  other_id text,
  found_at timestamptz not null default now()
);

-- Down Migration

drop table email_collisions;
