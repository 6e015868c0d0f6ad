create table notes (
  id text primary key,
  n integer not null default 0
);

-- What the handlers of the tests did, in the order in which they did it.
create table handled (
  position bigint generated always as identity primary key,
  note text not null,
  n integer not null
);
