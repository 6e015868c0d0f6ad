import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { onConnected } from '#realtime/connection/status.ts';
import { onUserChanges } from '#realtime/user-changes.ts';
import { threadLogId } from './log-id.ts';
import { newer, withChangedUsers } from './merge-messages.ts';
import { logOf, messageStore } from './message-store.ts';

/**
 * The roots of opened threads, because the log of their conversation may not be loaded, or not reach back to them.
 */
const roots = createUserScopedStore<ReadonlyMap<string, Message>>(() => new Map());

/** Call this before the request: a response that arrives after a sign-out must be discarded. */
export function recordRoot(): (root: Message) => void {
  const owner = roots.owner();
  return (root) => roots.change(owner, (all) => new Map(all).set(root._id, newer(all.get(root._id) ?? root, root)));
}

onUserChanges((users) =>
  roots.change(roots.owner(), (all) => new Map([...all].map(([id, root]) => [id, withChangedUsers(root, users)]))),
);

// Changes may have been missed, and only visible threads are loaded again.
onConnected(() =>
  roots.change(roots.owner(), (all) => new Map([...all].filter(([id]) => messageStore.isVisible(threadLogId(id))))),
);

/** Returns the conversation of an opened thread. */
export const conversationOfThread = (id: string): string | undefined => roots.get().get(id)?.conversation;

/** Forgets the roots of a conversation that the user can no longer see. */
export function deleteRoots(conversationId: string): void {
  roots.change(roots.owner(), (all) => new Map([...all].filter(([, root]) => root.conversation !== conversationId)));
}

/** Changes a root that is known. */
export function changeRoot(id: string, change: (root: Message) => Message): void {
  roots.change(roots.owner(), (all) => {
    const root = all.get(id);
    return root ? new Map(all).set(id, change(root)) : all;
  });
}

/** Applies listed messages to those that are known roots. */
export function updateRoots(messages: readonly Message[]): void {
  for (const message of messages) changeRoot(message._id, (root) => newer(root, message));
}

function subscribe(notify: () => void): () => void {
  const unsubscribes = [roots.subscribe(notify), messageStore.onLogsChange(notify)];
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}

/** Returns a root as its opened thread or, before that, the log of its conversation shows it. */
export function useRoot(id: string, conversationId: string | null): Message | undefined {
  const find = () => {
    const root = roots.get().get(id);
    if (root || conversationId === null) return root;
    return logOf(conversationId).messages.find(({ _id }) => _id === id);
  };
  return useSyncExternalStore(subscribe, find);
}
