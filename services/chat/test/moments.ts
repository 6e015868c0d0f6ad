import type { TestService } from '@atrium/test-kit/start-test-service';

/**
 * Has the database itself write down in what order things were committed: at which seq somebody was removed (no message comes between, as
 * both hold the conversation), and of an edit, a deletion or a reading who was out already when it was made.
 */
const NOTE = `
create table removals (conversation_id text, user_id text, seq bigint);
create table changes (conversation_id text, what text, inside text[]);
create function note_removal() returns trigger language plpgsql as $$ begin
  insert into removals select conversation_id, old.user_id, last_seq from conversations where conversation_id = old.conversation_id;
  return old;
end $$;
create function note_change(id text, what text) returns void language plpgsql as $$ begin
  insert into changes select id, what, array(select user_id from participants where conversation_id = id);
end $$;
create function note_message() returns trigger language plpgsql as $$ begin
  perform note_change(new.conversation_id, case when new.deleted_at is null then new.content else 'deleted ' || new.seq end);
  return new;
end $$;
create function note_reading() returns trigger language plpgsql as $$ begin
  if new.last_read_seq > old.last_read_seq then
    perform note_change(new.conversation_id, 'read ' || new.user_id || ' ' || new.last_read_seq);
  end if;
  return new;
end $$;
create trigger removal before delete on participants for each row execute function note_removal();
create trigger change before update on messages for each row execute function note_message();
create trigger reading before update on participants for each row execute function note_reading();`;

export const noteMoments = (service: TestService) => service.query(NOTE);

/** What is not for somebody who was removed: messages beyond that seq, and these changes, as `note_*` words them. */
export type Later = { seq: number; changes: ReadonlySet<string> };

export async function whatCameLater(service: TestService, conversation: string, userId: string): Promise<Later> {
  const [removal] = await service.query('select seq from removals where conversation_id = $1 and user_id = $2', [
    conversation,
    userId,
  ]);
  if (!removal) throw new Error('nobody was removed');
  const changes = await service.query(
    'select what from changes where conversation_id = $1 and not ($2 = any(inside))',
    [conversation, userId],
  );
  return { seq: Number(removal.seq), changes: new Set(changes.map(({ what }) => String(what))) };
}
