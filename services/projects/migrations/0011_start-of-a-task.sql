-- Up Migration

alter table tasks add column start_date timestamptz;
