import { DISPLAY_NAME_FIELDS } from '@atrium/proto-events/live-updates/topics';
import type { Change } from '@atrium/proto-events/realtime';
import { createListeners } from '#lib/listeners.ts';

const NAME_FIELDS: readonly string[] = DISPLAY_NAME_FIELDS.user;

/** The ids of renamed or deleted users; null where any user may be affected. */
const listeners = createListeners<[people: readonly string[] | null]>();

export const onNameChanges = listeners.subscribe;
export const hasNameListeners = listeners.hasListeners;

export function emitNameChanges(changes: readonly Change[] | null): void {
  const renamed = changes?.filter(
    ({ resource, action, changed }) =>
      resource === 'user' && action !== 'created' && changed?.some((field) => NAME_FIELDS.includes(field)) !== false,
  );
  if (renamed?.length === 0) return;
  listeners.notify(renamed?.map(({ id }) => id) ?? null);
}
