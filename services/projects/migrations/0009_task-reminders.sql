-- The due date that the assignee was last reminded of.
alter table tasks add column reminded_due timestamptz;
