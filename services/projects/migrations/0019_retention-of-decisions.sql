-- Up Migration

alter table decision_tasks add column updated_at timestamptz not null default now();

-- Down Migration

alter table decision_tasks drop column updated_at;
