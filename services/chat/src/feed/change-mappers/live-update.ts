import type { Change, Topic } from '@atrium/proto-events/realtime';
import type { Audience } from '../audience.ts';

/** What one event means to browsers. */
export type LiveUpdate = { topics: readonly Topic[]; audience: Audience; changes: readonly Change[] };

export type Action = Change['action'];

/** Where it belongs, if that is known: a page of another project then asks for nothing. Where it moved, two are concerned. */
export const scopeOf = ({
  project,
  changed,
}: {
  project?: string | null | undefined;
  changed?: readonly string[];
}): Pick<Change, 'scope'> => (project === undefined || changed?.includes('project') ? {} : { scope: { project } });

export const andAdmins = (...users: string[]) => ({ users: [...new Set(users)], admins: true }) satisfies Audience;

/** Whether one of these fields changed, or nobody says which. */
export const hasChanged = (changed: readonly string[] | undefined, fields: readonly string[]) =>
  changed?.some((field) => fields.includes(field)) !== false;
