-- The latest message or reply that a user was notified of. Reading up to there is published, to withdraw the notifications.
alter table participants add column notified_seq bigint not null default 0;
alter table thread_followers add column notified_seq bigint not null default 0;
