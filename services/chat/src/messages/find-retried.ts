import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findReadState } from '../model/conversations/participant-repository.ts';
import { conversationOf } from '../model/messages/message-repository.ts';
import { findSentMessage, type SentRow } from '../model/messages/sending-repository.ts';

type Retried = { conversation: string; thread?: string | undefined; clientMessageId: string | undefined };

/** Returns the message that an earlier request with the same `clientMessageId` has sent, while its sender is in the conversation. */
export async function findRetried(
  db: Queryable,
  { userId }: Pick<Caller, 'userId'>,
  { conversation, thread, clientMessageId }: Retried,
): Promise<SentRow | undefined> {
  if (clientMessageId === undefined) return undefined;
  if (!(await findReadState(db, conversation, userId))) return undefined;
  const sentMessage = await findSentMessage(db, {
    conversation: thread ?? conversation,
    sender: userId,
    clientMessageId,
  });
  return sentMessage && conversationOf(sentMessage) === conversation ? sentMessage : undefined;
}
