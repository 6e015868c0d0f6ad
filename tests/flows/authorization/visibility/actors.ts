import { type Client, demand, join, setUp } from '../../workspace.ts';

/**
 * Every kind of person. `former` was with everything that `member` is with, and was taken out; `guest` is one of the project's talk and of
 * one date of a series; `deactivated` was with it until an administrator ended that; `invited` has no account yet, only mails.
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
export type Who = (typeof ACTORS)[number];
export type Cast = Record<SignedIn | 'deactivated', Client>;

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

/** Everybody with an account, signed in. */
export async function createActors(url: string): Promise<Cast> {
  const admin = await setUp(url);
  const others = Object.entries(ROLE_OF).filter(([who]) => who !== 'admin');
  const hired = others.map(async ([who, role]) => [who, await join(url, admin, { first: who, role })] as const);
  return { admin, ...Object.fromEntries(await Promise.all(hired)) } as Cast;
}

/** Calls as one of them, and demands that it is done. */
export async function does<T = { _id: string; version: number }>(
  who: Client,
  [method, path, body]: [method: string, path: string, body?: unknown],
  status = method === 'POST' ? 201 : 200,
): Promise<T> {
  return demand(who.call<T & Record<string, unknown>>(method, path, body), status);
}
