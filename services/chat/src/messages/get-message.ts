import type { Message } from '@atrium/proto-events/http/chat/messages';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { findMessage } from '../model/messages/message-repository.ts';
import { presentListed } from './present-stored-message.ts';

export async function getMessage(deps: Deps, caller: Caller, id: string): Promise<Message> {
  const found = await findMessage(deps.db, id, caller.userId);
  if (!found?.is_participant) throw notFound('Message');
  const [message] = await presentListed(deps, caller, [found]);
  if (!message) throw new Error('A message was not presented');
  return message;
}
