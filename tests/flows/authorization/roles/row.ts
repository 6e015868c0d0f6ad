import { type ApiResponse, type Client, send } from '../../../workspace/workspace.ts';
import type { ActorName, RoleFixture } from './role-fixture.ts';

/** The expected status for each actor. */
export type Statuses = Record<ActorName, number>;

/** The input of a request. `as` replaces the caller if the request ends the sessions of its caller. */
export type RequestInput = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: FormData;
  /** The raw bytes of one part of an upload. */
  bytes?: string;
  as?: Client | undefined;
};

/**
 * An endpoint with the expected status for each actor. `when` distinguishes several rows of one endpoint. `send` is
 * called for each actor, so that each request has its own resources.
 */
export type Row = {
  call: string;
  when?: string;
  statuses: Statuses;
  send: (fixture: RoleFixture, who: ActorName) => RequestInput | Promise<RequestInput>;
};

type StatusTuple = readonly [
  admin: number,
  manager: number,
  other: number,
  member: number,
  stranger: number,
  anonymous: number,
];

/** Creates a row with the six statuses in the order of the actors. */
export function row(
  call: string,
  [admin, manager, otherManager, member, stranger, anonymous]: StatusTuple,
  send: Row['send'] = () => ({}),
): Row {
  return { call, statuses: { admin, manager, otherManager, member, stranger, anonymous }, send };
}

/** Marks a row as a further case of its endpoint. */
export const when = (circumstance: string, baseRow: Row): Row => ({ ...baseRow, when: circumstance });

/** Expects a status for every signed-in user, and 401 without a token. */
export const signedInUsers = (status: number): StatusTuple => [status, status, status, status, status, 401];

/** Expects a status for every caller, with or without a token. */
export const allCallers = (status: number): StatusTuple => [status, status, status, status, status, status];

/** Expects a status for administrators, and an error for all others. */
export const adminOnly = (status: number): StatusTuple => [status, 403, 403, 403, 403, 401];

/** Creates what the request of a row needs, and returns a function that sends it as one of the actors. */
export async function prepareCall(
  fixture: RoleFixture,
  who: ActorName,
  { call, send: prepare }: Row,
): Promise<() => Promise<ApiResponse>> {
  const { params = {}, query = {}, body, form, bytes, as = fixture.actors[who] } = await prepare(fixture, who);
  const [method = '', template = ''] = call.split(' ');
  const path = template.replaceAll(/:(\w+)/g, (_whole, name: string) => params[name] ?? '');
  const headers = {
    ...(as && { authorization: `Bearer ${as.token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const content = form ?? bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  const search = new URLSearchParams(query).toString();
  return () =>
    send(`${fixture.url}/api${path}${search && `?${search}`}`, {
      method,
      headers,
      ...(content !== undefined && { body: content }),
    });
}
