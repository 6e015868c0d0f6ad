import type { Change, Topic } from '@atrium/proto-events/realtime';
import type { Audience } from '../audience.ts';

/** Changes to send to the part of the audience that subscribed to one of the topics. */
export type LiveUpdate = { topics: readonly Topic[]; audience: Audience; changes: readonly Change[] };

export type Action = Change['action'];

/** The project, so that pages of other projects need no refetch. Omitted when the resource moves between two projects. */
export const scopeOf = ({
  project,
  changed,
}: {
  project?: string | null | undefined;
  changed?: readonly string[];
}): Pick<Change, 'scope'> => (project === undefined || changed?.includes('project') ? {} : { scope: { project } });

export const andAdmins = (...users: string[]) => ({ users: [...new Set(users)], admins: true }) satisfies Audience;

/** True also if the event does not name the changed fields. */
export const hasChanged = (changed: readonly string[] | undefined, fields: readonly string[]) =>
  changed?.some((field) => fields.includes(field)) !== false;
