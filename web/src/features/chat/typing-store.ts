import { useSyncExternalStore } from 'react';
import { createListeners } from '../../lib/listeners.ts';

/** A start is repeated while somebody types; without another it is over. */
const SHOWN_MS = 5_000;
const NOBODY: readonly string[] = [];

const typing = new Map<string, Map<string, ReturnType<typeof setTimeout>>>();
const shown = new Map<string, readonly string[]>();
const listeners = createListeners();

export function noteTyping(conversation: string, user: string): void {
  const people = typing.get(conversation) ?? new Map<string, ReturnType<typeof setTimeout>>();
  typing.set(conversation, people);
  clearTimeout(people.get(user));
  people.set(
    user,
    setTimeout(() => noteStopped(conversation, user), SHOWN_MS),
  );
  tell(conversation);
}

/** They stopped, or said what they were typing. */
export function noteStopped(conversation: string, user: string): void {
  const people = typing.get(conversation);
  if (!people?.has(user)) return;
  clearTimeout(people.get(user));
  people.delete(user);
  tell(conversation);
}

function tell(conversation: string): void {
  shown.set(conversation, [...(typing.get(conversation)?.keys() ?? [])]);
  listeners.tell();
}

/** Ids of those who type in a conversation now. */
export function useTyping(conversation: string): readonly string[] {
  return useSyncExternalStore(listeners.subscribe, () => shown.get(conversation) ?? NOBODY);
}
