import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { markRead } from '../conversations/mark-read.ts';
import type { Deps } from '../deps.ts';
import { findMessage } from './message-repository.ts';

/** Marks everything up to this message as read. Participants only. */
export async function markMessageRead(deps: Deps, caller: Caller, id: string) {
  const message = await findMessage(deps.db, id, caller.userId);
  if (!message?.takes_part) throw notFound('Message');
  return markRead(deps, caller, { conversation: message.conversation_id, seq: message.seq });
}
