import { listMentions, mentionsGroups } from '@atrium/proto-events/text/mentions';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { NewMessage } from '../model/messages/sending-repository.ts';
import { MENTION_DENIED } from '../model/policy.ts';

type Mentioning = Pick<NewMessage, 'conversation_id' | 'sender_id' | 'content' | 'is_manager'> &
  Partial<Pick<NewMessage, 'client_message_id'>>;

/**
 * Throws `forbidden` if a message mentions everyone or a group in a channel where only managers can. One that was sent
 * before, and of which this is a retry, could.
 */
export async function assertCanMention(db: Queryable, message: Mentioning): Promise<void> {
  if (message.is_manager || !mentionsGroups(listMentions(message.content))) return;
  const { rowCount } = await db.query({
    name: 'find-mention-denial',
    text: `select from conversations c
           join participants p on p.conversation_id = c.conversation_id and p.user_id = $2
           where c.conversation_id = $1 and c.mention_everyone = 'managers' and c.created_by is distinct from $2
             and not exists (
               select from messages m where m.conversation_id = $1 and m.sender_id = $2 and m.client_message_id = $3
             )`,
    values: [message.conversation_id, message.sender_id, message.client_message_id],
  });
  if (rowCount === 1) throw new AppError('forbidden', MENTION_DENIED);
}
