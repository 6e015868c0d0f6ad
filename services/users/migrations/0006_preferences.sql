-- Up Migration

-- What a person chose for themselves: working hours, reminders. What is not in it is as everybody has it.
alter table users add column preferences jsonb not null default '{}';

-- Down Migration

alter table users drop column preferences;
