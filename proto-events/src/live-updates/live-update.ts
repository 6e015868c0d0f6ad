import type { z } from 'zod';
import type { EventDefinition } from '../event.ts';
import type { Change } from '../realtime.ts';

/**
 * Users who may receive a change. Of everyone, those who subscribed to one of its tags receive it; others receive it
 * regardless of their subscriptions.
 */
export type Audience<Users = readonly string[]> =
  | 'everyone'
  | { users: Users; departments?: readonly string[]; admins?: boolean; conversation?: string };

/** A change to send to the browsers of an audience. */
export type LiveUpdate<Users = readonly string[]> = { audience: Audience<Users>; change: Change };

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

export const withAdmins = (...userIds: string[]) => ({ users: [...new Set(userIds)], admins: true }) satisfies Audience;

/** Whether one of the fields may have changed. An event without names of fields may have changed any. */
export const affectsFields = (changed: readonly string[] | undefined, ...fields: readonly string[]) =>
  changed?.some((field) => fields.includes(field)) !== false;
