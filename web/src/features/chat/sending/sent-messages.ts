import type { Message } from '@atrium/proto-events/http/chat-messages';
import { useSyncExternalStore } from 'react';
import { createUserScopedStore, type Owner } from '#lib/session/user-scoped-store.ts';
import { logIdOf } from '../log/log-id.ts';
import type { Outgoing } from './outgoing-messages.ts';

/** How long after it was sent a message can be taken back with one press. */
export const UNDO_MS = 10_000;

export type SentMessage = { outgoing: Outgoing; message: Message; sentAt: number };

/** The message sent last on this page, by conversation or thread. */
const sentMessages = createUserScopedStore<Readonly<Record<string, SentMessage>>>(() => ({}));

export function recordSent(owner: Owner, outgoing: Outgoing, message: Message): void {
  const logId = logIdOf(outgoing.destination);
  sentMessages.change(owner, (others) => ({ ...others, [logId]: { outgoing, message, sentAt: Date.now() } }));
}

export function forgetSent(logId: string): void {
  sentMessages.change(sentMessages.owner(), ({ [logId]: _, ...others }) => others);
}

export const useSentMessage = (logId: string): SentMessage | undefined =>
  useSyncExternalStore(sentMessages.subscribe, () => sentMessages.get()[logId]);
