import { useSyncExternalStore } from 'react';

/** A start is repeated while somebody types; without another it is over. */
const SHOWN_MS = 5_000;
const NOBODY: readonly string[] = [];

const typing = new Map<string, Map<string, ReturnType<typeof setTimeout>>>();
const shown = new Map<string, readonly string[]>();
const listeners = new Set<() => void>();

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
  for (const notify of listeners) notify();
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

/** Ids of those who type in a conversation now. */
export function useTyping(conversation: string): readonly string[] {
  return useSyncExternalStore(subscribe, () => shown.get(conversation) ?? NOBODY);
}
