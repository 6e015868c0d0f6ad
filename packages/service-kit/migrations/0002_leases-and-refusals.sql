-- Up Migration

-- What one pod of a service does for all of them, and until when it may without asking again.
create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null
);

-- A row that NATS refuses for itself stays here, with the reason, and holds up nobody.
alter table outbox add column refused_at timestamptz, add column refusal text;

-- Down Migration

alter table outbox drop column refused_at, drop column refusal;
drop table leases;
