-- Up Migration

-- When somebody answered, by the clock of whoever they answered with: an answer that comes later by mail may be the older one.
alter table participants add column answered_at timestamptz;

-- Whoever answers in the app need not say so; neither does a pod of before.
create function note_answer() returns trigger language plpgsql as $$
begin
  new.answered_at := now();
  return new;
end
$$;
create trigger participants_answered before update of response on participants for each row
  when (new.response <> 'pending' and new.answered_at is not distinct from old.answered_at)
  execute function note_answer();

-- Down Migration

drop trigger participants_answered on participants;
drop function note_answer();
alter table participants drop column answered_at;
