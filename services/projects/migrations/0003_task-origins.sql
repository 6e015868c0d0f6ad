-- The message that a task was created from. Only chat knows messages, and who can read them.
alter table tasks add column origin_message text;
