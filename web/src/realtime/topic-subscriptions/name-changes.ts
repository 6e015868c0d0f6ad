import type { Change } from '@atrium/proto-events/realtime';
import { DISPLAY_NAME_FIELDS } from '@atrium/proto-events/topics';
import { createListeners } from '../../lib/listeners.ts';

/** Told who is named otherwise now, or is gone; null where nobody knows who, and it may be anybody. */
const listeners = createListeners<[people: readonly string[] | null]>();

/** For who holds names of people outside of answers: to be told of each who is named otherwise, whatever the screen shows. */
export const followNames = listeners.subscribe;
export const isFollowingNames = listeners.isAnybodyThere;

/** Tells of what changed; null: of everything. */
export function emitNameChanges(changes: readonly Change[] | null): void {
  const renamed = changes?.filter(
    ({ resource, action, changed }) =>
      resource === 'user' &&
      action !== 'created' &&
      changed?.some((field) => DISPLAY_NAME_FIELDS.user.includes(field)) !== false,
  );
  if (renamed?.length === 0) return;
  listeners.tell(renamed?.map(({ id }) => id) ?? null);
}
