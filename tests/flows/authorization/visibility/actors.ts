import { type Client, createUser, expectStatus, setUpWorkspace } from '../../../workspace/workspace.ts';

/**
 * One user for every kind of access. `former` had the same access as `member` and was removed; `guest` is in the
 * project's conversation and in one occurrence of a series; `partner` has a direct conversation with `member`;
 * `deactivated` had access until an administrator deactivated the account; `invited` has no account, only emails.
 */
export const SIGNED_IN = [
  'admin',
  'manager',
  'otherManager',
  'member',
  'former',
  'guest',
  'partner',
  'uploader',
  'sharedWith',
  'stranger',
] as const;
export const ACTORS = [...SIGNED_IN, 'deactivated', 'invited', 'anonymous'] as const;
export type SignedIn = (typeof SIGNED_IN)[number];
export type ActorName = (typeof ACTORS)[number];
export type Actors = Record<SignedIn | 'deactivated', Client>;

export const ROLE_OF = {
  admin: 'admin',
  manager: 'project_manager',
  otherManager: 'project_manager',
  member: 'member',
  former: 'member',
  guest: 'member',
  partner: 'member',
  uploader: 'member',
  sharedWith: 'member',
  stranger: 'member',
  deactivated: 'member',
} as const;

/** Creates and signs in every actor with an account. */
export async function createActors(url: string): Promise<Actors> {
  const admin = await setUpWorkspace(url);
  const otherRoles = Object.entries(ROLE_OF).filter(([who]) => who !== 'admin');
  const otherActors = otherRoles.map(
    async ([who, role]) => [who, await createUser(url, admin, { first: who, role })] as const,
  );
  return { admin, ...Object.fromEntries(await Promise.all(otherActors)) } as Actors;
}

/** Sends a request as one of the actors, checks its status, and returns its body. */
export async function callAs<T = { _id: string; version: number }>(
  who: Client,
  [method, path, body]: [method: string, path: string, body?: unknown],
  status = method === 'POST' ? 201 : 200,
): Promise<T> {
  return expectStatus(who.call<T & Record<string, unknown>>(method, path, body), status);
}
