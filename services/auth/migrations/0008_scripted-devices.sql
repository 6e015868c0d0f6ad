-- Up Migration

-- Devices whose user agent names neither a browser nor a system: scripts, which leave one with each sign-in unless they keep it.
alter table known_devices add column scripted boolean not null default false;

-- Down Migration

alter table known_devices drop column scripted;
