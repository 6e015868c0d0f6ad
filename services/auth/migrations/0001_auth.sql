-- Up Migration

-- Who may sign in. Names, role and department are as they were given when the account was made: the users service owns them
-- from then on, and they serve only until the directory knows the person.
create table accounts (
  id text primary key,
  email text not null,
  password_hash text,
  state text not null check (state in ('invited', 'active')),
  first_name text not null,
  last_name text not null,
  role text not null,
  department_id text,
  created_at timestamptz not null default now(),
  activated_at timestamptz,
  check (state = 'invited' or password_hash is not null)
);
create unique index accounts_email on accounts (lower(email));

create table invitations (
  id text primary key,
  user_id text not null references accounts (id) on delete cascade,
  token_hash bytea not null unique,
  invited_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz
);
create index invitations_of_user on invitations (user_id);
create index invitations_expiry on invitations (expires_at);

-- A session is there for as long as it is good: to revoke it is to remove it, and its tokens with it.
create table sessions (
  id text primary key,
  user_id text not null references accounts (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_of_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- Every token that a session ever had and that could still be good, so that the second use of any of them is noticed.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id text not null references sessions (id) on delete cascade,
  expires_at timestamptz not null,
  rotated_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

-- Failed sign-ins of the last minutes, by account and address; the key is a hash of both.
create table login_failures (
  key bytea primary key,
  failed_at timestamptz[] not null,
  last_at timestamptz not null
);
create index login_failures_age on login_failures (last_at);

-- The private half is sealed with a key that the database does not have.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  created_at timestamptz not null default now()
);

-- Down Migration

drop table signing_keys;
drop table login_failures;
drop table refresh_tokens;
drop table sessions;
drop table invitations;
drop table accounts;
