-- What the manager reported last. Null until then.
alter table projects
  add column health text,
  add column health_note text,
  add column health_updated_at timestamptz(3),
  add column health_updated_by text;
