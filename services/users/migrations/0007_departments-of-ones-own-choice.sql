-- Up Migration

-- Whether they put themselves into their department: then it opens nothing to them, and the other column has the one in which they were put.
alter table users
  add column department_chosen boolean not null default false,
  -- Without a reference: it is only compared, and one that is gone is nobody's.
  add column placed_department_id text;

-- Down Migration

alter table users drop column department_chosen, drop column placed_department_id;
