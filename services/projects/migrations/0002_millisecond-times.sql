-- Lists are sorted by these times. Browsers sort the same items by the times of the API, which have milliseconds.
alter table projects
  alter column created_at type timestamptz(3),
  alter column updated_at type timestamptz(3);
alter table tasks
  alter column created_at type timestamptz(3),
  alter column updated_at type timestamptz(3);
