import type { Change } from '@atrium/proto-events/realtime';
import { NAMING_FIELDS } from '@atrium/proto-events/topics';

/** Who is named otherwise now, or is gone; null where nobody knows who, and it may be anybody. */
type Listener = (people: readonly string[] | null) => void;

const listeners = new Set<Listener>();

/** For who holds names of people outside of answers: to be told of each who is named otherwise, whatever the screen shows. */
export function followNames(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isFollowingNames = (): boolean => listeners.size > 0;

/** Tells of what changed; null: of everything. A server of before does not say which fields. */
export function tellOfNames(changes: readonly Change[] | null): void {
  const renamed = changes?.filter(
    ({ resource, action, changed }) =>
      resource === 'user' &&
      action !== 'created' &&
      changed?.some((field) => NAMING_FIELDS.user.includes(field)) !== false,
  );
  if (renamed?.length === 0) return;
  for (const listener of listeners) listener(renamed?.map(({ id }) => id) ?? null);
}
