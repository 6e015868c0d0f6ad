import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useSyncExternalStore } from 'react';
import type { MentionLabels } from '#entities/conversation/mention-labels.ts';
import { createUserScopedStore, type Owner } from '#lib/session/user-scoped-store.ts';
import type { SentFiles } from '../files/attachment-drafts.ts';
import { type Destination, logIdOf } from '../log/log-id.ts';

export type Outgoing = SentFiles & {
  destination: Destination;
  alsoInConversation?: true | undefined;
  labels?: MentionLabels | undefined;
  createdAt: string;
  replaces?: string | undefined;
};

/** How long after it was sent sending can be undone. */
export const UNDO_MS = 10_000;

export type SentMessage = { outgoing: Outgoing; message: Message };

/** The message sent last on this page, by conversation or thread. */
const sentMessages = createUserScopedStore<Readonly<Record<string, SentMessage>>>(() => ({}));

export function recordSent(owner: Owner, outgoing: Outgoing, message: Message): void {
  const logId = logIdOf(outgoing.destination);
  sentMessages.change(owner, (others) => ({ ...others, [logId]: { outgoing, message } }));
  setTimeout(() => forgetSent(owner, logId, message._id), UNDO_MS);
}

/** Keeps a message that was sent since. */
export function forgetSent(owner: Owner, logId: string, messageId: string): void {
  sentMessages.change(owner, (all) => {
    const { [logId]: sent, ...others } = all;
    return sent?.message._id === messageId ? others : all;
  });
}

export const useSentMessage = (logId: string): SentMessage | undefined =>
  useSyncExternalStore(sentMessages.subscribe, () => sentMessages.get()[logId]);
