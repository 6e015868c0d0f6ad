-- Up Migration

-- Since when a task or project is gone: nothing late comes after the thirty days of the stream.
alter table task_standings add column gone_at timestamptz;
alter table task_standings alter column gone_at set default now();
update task_standings set gone_at = now() where gone;
alter table gone_projects add column gone_at timestamptz not null default now();
create index task_standings_gone on task_standings (gone_at) where gone;

-- Down Migration

drop index task_standings_gone;
alter table gone_projects drop column gone_at;
alter table task_standings drop column gone_at;
