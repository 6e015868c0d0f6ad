import type { Client } from '../../workspace.ts';
import type { Who, World } from './role-fixture.ts';

/** What each of the actors is answered. */
export type Statuses = Record<Who, number>;

/** What is sent; `as` where the caller's own sessions end by it and somebody of the same role must stand in. */
export type Sending = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: FormData;
  /** Of a part of a file, which stands for itself. */
  bytes?: string;
  as?: Client | undefined;
};

/** One call, and one circumstance of it where there are several. Whatever the call uses up is made anew for each caller. */
export type Row = {
  call: string;
  when?: string;
  statuses: Statuses;
  send: (world: World, who: Who) => Sending | Promise<Sending>;
};

type Six = readonly [
  admin: number,
  manager: number,
  other: number,
  member: number,
  stranger: number,
  anonymous: number,
];

/** A row of the table; six numbers in the order of the actors. */
export function row(
  call: string,
  [admin, manager, otherManager, member, stranger, anonymous]: Six,
  send: Row['send'] = () => ({}),
): Row {
  return { call, statuses: { admin, manager, otherManager, member, stranger, anonymous }, send };
}

/** The same call under another circumstance. */
export const when = (circumstance: string, given: Row): Row => ({ ...given, when: circumstance });

/** Every signed-in person gets the same. */
export const anyone = (status: number): Six => [status, status, status, status, status, 401];

/** A public call looks at no token. */
export const everybody = (status: number): Six => [status, status, status, status, status, status];

export const adminOnly = (status: number): Six => [status, 403, 403, 403, 403, 401];
