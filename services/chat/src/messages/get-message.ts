import type { Message } from '@atrium/proto-events/http/chat/messages';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { findMessage } from '../model/messages/message-repository.ts';
import { presentWithoutReaders } from './present-stored-message.ts';

export async function getMessage(deps: Deps, caller: Caller, id: string): Promise<Message> {
  const found = await findMessage(deps.db, id, caller.userId);
  if (!found?.is_participant) throw notFound('Message');
  return presentWithoutReaders(deps, caller, found);
}
