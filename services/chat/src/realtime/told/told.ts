import type { Change, Topic } from '@atrium/proto-events/realtime';
import type { Audience } from '../audience.ts';

/** What one event means to browsers. */
export type Told = { topics: readonly Topic[]; audience: Audience; changes: readonly Change[] };

export type Action = Change['action'];

export const andAdmins = (...users: string[]) => ({ users: [...new Set(users)], admins: true }) satisfies Audience;

/** Whether one of these fields changed, or nobody says which. */
export const hasChanged = (changed: readonly string[] | undefined, fields: readonly string[]) =>
  changed?.some((field) => fields.includes(field)) !== false;
