-- Lists are sorted by these times. Browsers sort the same items by the times of the API, which cut off microseconds.
alter table projects
  alter column created_at type timestamptz(3) using date_trunc('milliseconds', created_at),
  alter column updated_at type timestamptz(3) using date_trunc('milliseconds', updated_at);
alter table tasks
  alter column created_at type timestamptz(3) using date_trunc('milliseconds', created_at),
  alter column updated_at type timestamptz(3) using date_trunc('milliseconds', updated_at);
