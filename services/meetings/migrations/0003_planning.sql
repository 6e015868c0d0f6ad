-- Up Migration

-- The start of which somebody was reminded. A meeting that moves has another, and reminds anew.
alter table participants add column reminded_of timestamptz;

-- Down Migration

alter table participants drop column reminded_of;
