import type { UserSummary } from '@atrium/proto-events/people';
import { useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

const NONE: readonly UserSummary[] = [];

/** Mentioned users who are not in the conversation, by the log of the message. */
const unreachable = createUserScopedStore<Readonly<Record<string, readonly UserSummary[]>>>(() => ({}));

export const useUnreachable = (logId: string): readonly UserSummary[] =>
  useSyncExternalStore(unreachable.subscribe, () => unreachable.get()[logId] ?? NONE);

/** Call this before the request: a response that arrives after a sign-out must be discarded. */
export function unreachableRecorder(logId: string): (users: readonly UserSummary[] | undefined) => void {
  const owner = unreachable.owner();
  return (users = NONE) => {
    if (users.length === 0) return;
    const ids = new Set(users.map(({ _id }) => _id));
    unreachable.change(owner, (all) => ({
      ...all,
      [logId]: [...(all[logId] ?? NONE).filter(({ _id }) => !ids.has(_id)), ...users],
    }));
  };
}

export function dismissUnreachable(logId: string): void {
  unreachable.change(unreachable.owner(), ({ [logId]: _, ...others }) => others);
}
