-- Up Migration

-- Until when a key that was replaced before its time still verifies.
alter table signing_keys add column retires_at timestamptz;

-- Down Migration

alter table signing_keys drop column retires_at;
