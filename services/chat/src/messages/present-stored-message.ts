import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { Reacted } from '@atrium/proto-events/realtime';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { findMessageAttachments } from '../model/attachment-repository.ts';
import type { MessageRow } from '../model/message-repository.ts';
import {
  presentAttachment,
  presentMessage,
  presentMessageFor,
  presentSharedReactions,
} from '../model/present-message.ts';
import { findReactions } from '../model/reaction-repository.ts';
import { findMessageReaders } from './read-by.ts';

/** Presents a message with what is stored about it. */
export async function presentStoredMessage(deps: Deps, caller: Caller, row: MessageRow): Promise<Message> {
  const [readBy, files, reactions] = await Promise.all([
    findMessageReaders(deps.db, deps.directory, row),
    findMessageAttachments(deps.db, row),
    findReactions(deps.db, row, caller.userId),
  ]);
  return presentMessageFor(deps, row, { caller, readBy, files, reactions });
}

/** Call it after the commit. */
export async function broadcastChange(
  { db, directory, broadcaster }: Deps,
  row: MessageRow,
  change: { revision: number | undefined; reacted?: Reacted },
): Promise<void> {
  const [files, reactions] = await Promise.all([findMessageAttachments(db, row), findReactions(db, row, '')]);
  const shown = {
    attachments: files.map(presentAttachment),
    reactions: presentSharedReactions(directory, reactions),
  };
  await broadcaster.messageUpdated(presentMessage(directory, row, shown), change);
}
