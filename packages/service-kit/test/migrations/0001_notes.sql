create table notes (
  id text primary key,
  n integer not null default 0
);

-- The effects of the tests' handlers, in order.
create table handled (
  position bigint generated always as identity primary key,
  note text not null,
  n integer not null
);
