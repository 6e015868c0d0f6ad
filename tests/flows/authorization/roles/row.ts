import { type ApiResponse, type Client, send } from '../../../workspace/workspace.ts';
import type { RoleFixture, ActorName } from './role-fixture.ts';

/** The expected status for each actor. */
export type Statuses = Record<ActorName, number>;

/** The request; `as` replaces the caller if the request ends the caller's sessions. */
export type RequestInput = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: FormData;
  /** The raw bytes of a file part. */
  bytes?: string;
  as?: Client | undefined;
};

/** One request, with its circumstance if there are several. Consumed resources are created again for each caller. */
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

/** A row with six statuses, in the order of the actors. */
export function row(
  call: string,
  [admin, manager, otherManager, member, stranger, anonymous]: StatusTuple,
  send: Row['send'] = () => ({}),
): Row {
  return { call, statuses: { admin, manager, otherManager, member, stranger, anonymous }, send };
}

/** The same endpoint in another circumstance. */
export const when = (circumstance: string, given: Row): Row => ({ ...given, when: circumstance });

/** The same status for every signed-in user. */
export const signedInUsers = (status: number): StatusTuple => [status, status, status, status, status, 401];

/** A public endpoint ignores tokens. */
export const allCallers = (status: number): StatusTuple => [status, status, status, status, status, status];

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
