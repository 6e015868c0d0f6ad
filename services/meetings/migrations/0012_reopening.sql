-- Up Migration

-- A meeting may be closed again after it was reopened. What happens elsewhere because of a closing names that one.
alter table closings add column id text;
update closings set id = meeting_id;
alter table closings alter column id set not null;
create unique index closings_by_id on closings (id);

-- Down Migration

alter table closings drop column id;
