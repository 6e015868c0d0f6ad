import type { TestService } from '@atrium/test-kit/start-test-service';

/**
 * Record the order of commits: the last seq at each removal (sends and removals lock the conversation, so no message
 * comes in between), and the participants at each edit, deletion, or read.
 */
const TRIGGERS = `
create table removals (conversation_id text, user_id text, seq bigint);
create table changes (conversation_id text, description text, participant_ids text[]);
create function record_removal() returns trigger language plpgsql as $$ begin
  insert into removals select conversation_id, old.user_id, last_seq from conversations where conversation_id = old.conversation_id;
  return old;
end $$;
create function record_change(id text, description text) returns void language plpgsql as $$ begin
  insert into changes select id, description, array(select user_id from participants where conversation_id = id);
end $$;
create function record_message() returns trigger language plpgsql as $$ begin
  perform record_change(new.conversation_id, case when new.deleted_at is null then new.content else 'deleted ' || new.seq end);
  return new;
end $$;
create function record_read() returns trigger language plpgsql as $$ begin
  if new.last_read_seq > old.last_read_seq then
    perform record_change(new.conversation_id, 'read ' || new.user_id || ' ' || new.last_read_seq);
  end if;
  return new;
end $$;
create trigger removal before delete on participants for each row execute function record_removal();
create trigger change before update on messages for each row execute function record_message();
create trigger reading before update on participants for each row execute function record_read();`;

export const recordCommitOrder = (service: TestService) => service.query(TRIGGERS);

/** A removed user must not receive messages after this seq, or these changes, in the format of `record_*`. */
export type LaterChanges = { seq: number; changes: ReadonlySet<string> };

export async function listLaterChanges(
  service: TestService,
  conversation: string,
  userId: string,
): Promise<LaterChanges> {
  const [removal] = await service.query('select seq from removals where conversation_id = $1 and user_id = $2', [
    conversation,
    userId,
  ]);
  if (!removal) throw new Error('No removal recorded');
  const changes = await service.query(
    'select description from changes where conversation_id = $1 and not ($2 = any(participant_ids))',
    [conversation, userId],
  );
  return { seq: Number(removal.seq), changes: new Set(changes.map((change) => String(change.description))) };
}
