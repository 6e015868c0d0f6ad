-- Up Migration

-- How a series repeats within its frequency, as the API has it: interval, weekdays, day of the month.
alter table series
  add column recurrence jsonb not null default '{"interval": 1, "weekdays": [], "monthlyOn": "date"}'
  check (jsonb_typeof(recurrence -> 'interval') = 'number' and jsonb_typeof(recurrence -> 'weekdays') = 'array');

-- Down Migration

alter table series drop column recurrence;
