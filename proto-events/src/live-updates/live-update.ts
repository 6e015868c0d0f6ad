import type { z } from 'zod';
import type { EventDefinition } from '../event.ts';
import type { Change, Topic } from '../realtime.ts';

/**
 * Users who may receive an update. Those who subscribed to one of its topics receive it; participants of `conversation`
 * receive it regardless of their subscriptions.
 */
export type Audience<Users = readonly string[]> =
  | 'everyone'
  | { users: Users; departments?: readonly string[]; admins?: boolean; conversation?: string };

/** Changes to send to the browsers of an audience. */
export type LiveUpdate<Users = readonly string[]> = {
  topics: readonly Topic[];
  audience: Audience<Users>;
  changes: readonly Change[];
};

/** An event, and the live updates that result from it. `toUpdates` throws if `data` does not match the schema. */
export type FanoutRow = {
  event: EventDefinition;
  toUpdates: (data: unknown) => readonly LiveUpdate[];
};

/** Declares the updates of an event, with a mapping per audience. */
export function row<D extends EventDefinition>(
  event: D,
  ...mappings: ((data: z.output<D['data']>) => LiveUpdate | readonly LiveUpdate[])[]
): FanoutRow {
  return {
    event,
    toUpdates(data) {
      const parsed = event.data.parse(data) as z.output<D['data']>;
      return mappings.flatMap((mapping) => mapping(parsed));
    },
  };
}

/** Reasons for the events of a producer that have no row, by subject. */
export type ExemptEvents = Readonly<Record<string, string>>;

export type Action = Change['action'];

/** Lets browsers skip refetching pages of other projects. Omitted when the resource moves between projects. */
export const toScope = ({
  project,
  changed,
}: {
  project?: string | null | undefined;
  changed?: readonly string[];
}): Pick<Change, 'scope'> => (project === undefined || changed?.includes('project') ? {} : { scope: { project } });

export const withAdmins = (...userIds: string[]) => ({ users: [...new Set(userIds)], admins: true }) satisfies Audience;

/** Returns true if one of the fields is among the changed ones, or if the event does not name those. */
export const affectsFields = (changed: readonly string[] | undefined, fields: readonly string[]) =>
  changed?.some((field) => fields.includes(field)) !== false;
