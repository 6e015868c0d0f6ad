-- Up Migration

-- Since when somebody waits for a link: what nobody answered within an hour, nobody waits for any more.
alter table reset_requests add column created_at timestamptz not null default now();

-- Down Migration

alter table reset_requests drop column created_at;
