-- Up Migration

-- How far a session's line of refresh tokens has come, and what they are made from; nothing stands where the release before opened
-- it and it has not been renewed since. The rows of refresh_tokens are for pods of that release alone: they go with the next one.
alter table sessions
  add column token_seed bytea,
  add column token_number integer not null default 0,
  add column token_hash bytea;

-- A renewal changes when the session ends. Without an index over that, and with room in the page, it changes one place and no index;
-- what has expired is looked for once an hour, in a table of some dozens of megabytes.
drop index sessions_expiry;
drop index refresh_tokens_expiry;
alter table sessions set (fillfactor = 80);

-- Down Migration

alter table sessions reset (fillfactor);
create index refresh_tokens_expiry on refresh_tokens (expires_at);
create index sessions_expiry on sessions (expires_at);
alter table sessions drop column token_hash, drop column token_number, drop column token_seed;
