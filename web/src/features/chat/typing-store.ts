import { useSyncExternalStore } from 'react';
import { createListeners } from '../../lib/listeners.ts';

/** A start is repeated while somebody types; without another it is over. */
const SHOWN_MS = 5_000;
type Typist = { id: string; name: string | undefined };

const NOBODY: readonly Typist[] = [];

type Started = { name: string | undefined; timer: ReturnType<typeof setTimeout> };

const typing = new Map<string, Map<string, Started>>();
const shown = new Map<string, readonly Typist[]>();
const listeners = createListeners();

export function noteTyping(conversation: string, { id, name }: Typist): void {
  const people = typing.get(conversation) ?? new Map<string, Started>();
  typing.set(conversation, people);
  clearTimeout(people.get(id)?.timer);
  const timer = setTimeout(() => noteStopped(conversation, id), SHOWN_MS);
  people.set(id, { name, timer });
  tell(conversation);
}

/** They stopped, or said what they were typing. */
export function noteStopped(conversation: string, user: string): void {
  const people = typing.get(conversation);
  if (!people?.has(user)) return;
  clearTimeout(people.get(user)?.timer);
  people.delete(user);
  tell(conversation);
}

function tell(conversation: string): void {
  shown.set(
    conversation,
    [...(typing.get(conversation) ?? [])].map(([id, { name }]) => ({ id, name })),
  );
  listeners.tell();
}

/** Those who type in a conversation now. */
export function useTyping(conversation: string): readonly Typist[] {
  return useSyncExternalStore(listeners.subscribe, () => shown.get(conversation) ?? NOBODY);
}
