-- Credentials. The users service owns names, role, and department: these copies are used only until the directory knows the user.
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
  -- Who created the current link, and when. Null: it is the first link, from `invited_by` at `created_at`.
  sent_by text,
  sent_at timestamptz,
  -- Outcome of the latest email, which `mail_event_id` identifies. `uncertain`: the mail server did not say whether it accepted it.
  delivery text not null default 'queued' check (delivery in ('queued', 'sent', 'failed', 'uncertain')),
  mail_event_id text not null,
  expires_at timestamptz not null,
  accepted_at timestamptz
);
create index invitations_by_user on invitations (user_id);
create index invitations_open on invitations (created_at desc, id desc) where accepted_at is null;
create index invitations_expiry on invitations (expires_at);

-- Every request for a reset link, whether or not the address has an account. Requests are processed later, so that the response time
-- does not reveal which addresses exist.
create table reset_requests (
  id bigint generated always as identity primary key,
  email text not null,
  request_id text not null,
  created_at timestamptz not null default now()
);

create table password_resets (
  id text primary key,
  user_id text not null references accounts (id) on delete cascade,
  token_hash bytea not null unique,
  -- The administrator who created the link. Null: the user requested it.
  created_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_by_user on password_resets (user_id, created_at);
create index password_resets_expiry on password_resets (expires_at);

-- Open sessions. Revoking a session deletes its row. A refresh updates one row and no index: `expires_at` has none, and the fill factor
-- leaves room in the page.
create table sessions (
  id text primary key,
  user_id text not null references accounts (id) on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  device text,
  address text,
  -- Refresh tokens are derived from the seed and a number. `token_hash` is the hash of the current one.
  token_seed bytea not null,
  token_number integer not null default 0,
  token_hash bytea not null
) with (fillfactor = 80);
create index sessions_by_user on sessions (user_id);

-- Why a session ended before it expired. Shown only to the holder of its last refresh token.
create table ended_sessions (
  session_id text primary key,
  token_hash bytea not null,
  reason text not null,
  ended_at timestamptz not null default now()
);
create index ended_sessions_by_end on ended_sessions (ended_at);

-- Browsers that signed in to an account, by the hash of the device token that the browser stores.
create table known_devices (
  user_id text not null references accounts (id) on delete cascade,
  token_hash bytea not null,
  -- The user agent names neither a browser nor an operating system. Scripts that do not store the token add a device with each sign-in.
  scripted boolean not null default false,
  first_used_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (user_id, token_hash)
);
create index known_devices_by_last_use on known_devices (last_used_at);

-- Recent failed sign-ins. The key is a hash of the account and the IP address.
create table login_failures (
  key bytea primary key,
  failed_at timestamptz[] not null,
  last_at timestamptz not null
);
create index login_failures_by_last_failure on login_failures (last_at);

-- The private key is encrypted with a secret that is not in the database.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  created_at timestamptz not null default now(),
  -- Until when a key that was replaced early still verifies.
  retires_at timestamptz
);
