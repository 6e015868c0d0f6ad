import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';
import { MOST_IDS } from '@atrium/proto-events/fields';
import type { z } from 'zod';
import { sampleInputs } from '../../../contracts/sample-input.ts';
import { ACTORS, type Who } from './actors.ts';
import { type Asked, CALLS, type IdSet, PARAMETERS } from './channels.ts';
import { type Channel, MARK, ofKind } from './kinds.ts';
import type { Thing, World } from './visibility-fixture.ts';

/** Something that came to somebody: by which channel, in answer to what, and all of it. */
export type Received = { who: Who; channel: Channel; from: string; text: string };

/** How many calls are under way at a time. */
const AT_ONCE = 8;

type Call = { who: Who; channel: Channel; method: string; path: string; body?: unknown; isAttack: boolean };

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** The query parameters of a call, by their names. */
export function parametersOf({ query }: Endpoint): string[] {
  return Object.keys((query as z.ZodObject | undefined)?.shape ?? {});
}

/** Everybody asks for everything that can be asked for, and tries to change what they may not know of. */
export async function askForEverything(world: World): Promise<Received[]> {
  // The list is taken from its end: administrators read the security log before refusals of others fill its first pages.
  const askers = ACTORS.filter((who) => who !== 'invited').toReversed();
  const calls = askers.flatMap((who) =>
    ALL_ENDPOINTS.flatMap(({ endpoint }) => {
      const row = CALLS[nameOf(endpoint)];
      return row === undefined || row === 'own' ? [] : callsOf(world, who, endpoint, row);
    }),
  );
  const received: Received[] = [];
  const work = async () => {
    for (let next = calls.pop(); next; next = calls.pop()) received.push(await make(world, next));
  };
  // What ends somebody’s access would end what they are still to try, so readers come first.
  calls.sort((one, other) => Number(other.isAttack) - Number(one.isAttack));
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return received;
}

function callsOf(world: World, who: Who, endpoint: Endpoint, row: Asked): Call[] {
  const { method } = endpoint;
  const isAttack = method !== 'GET' && row.of !== undefined;
  const things = row.of ? world.things.filter(({ of }) => of === row.of) : [undefined];
  const concerned = things.filter((thing) => !isAttack || (thing && !mayKnow(who, thing)));
  return concerned.flatMap((thing) =>
    bodiesOf(world, endpoint, row, thing).flatMap((body) =>
      queriesOf(world, endpoint, row, thing).map((query) => ({
        who,
        channel: query.includes('search=') ? ('search' as const) : row.channel,
        method,
        path: pathOf(world, endpoint, row, thing) + query,
        ...(body !== undefined && { body }),
        isAttack,
      })),
    ),
  );
}

const mayKnow = (who: Who, { kind }: Thing) => {
  const { sees, manages = [] } = ofKind(kind);
  return sees.includes(who) || manages.includes(who);
};

function pathOf(world: World, { path }: Endpoint, { field = 'id' }: Asked, thing: Thing | undefined): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    if (name === field) return thing?.id ?? '';
    // Of a version: every document has the first.
    if (name === 'number') return '1';
    return name === 'id' ? (thing?.within ?? thing?.id ?? '') : world.actors.stranger.id;
  });
}

/** A body in every shape that the contract has, of nothing but its least where it needs none. */
function bodiesOf(world: World, { body }: Endpoint, { field }: Asked, thing: Thing | undefined): unknown[] {
  if (!body) return [undefined];
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const about = {
    userId: world.actors.stranger.id,
    userIds: [world.actors.stranger.id],
    // Everybody's, for as long as may be asked for.
    people: idsOf(world.things, 'users'),
    from: inDays(-1),
    to: inDays(61),
  };
  return sampleInputs(body).map((sample) => ({
    ...sample,
    ...Object.fromEntries(Object.entries(about).filter(([name]) => name in sample)),
    ...(field && field in sample && { [field]: thing?.id }),
  }));
}

/** All at once without anything, then each parameter by itself with each of its values, and what is searched for. */
function queriesOf(world: World, endpoint: Endpoint, { field }: Asked, thing: Thing | undefined): string[] {
  const names = parametersOf(endpoint);
  const always = [
    ...(names.includes('limit') ? ['limit=100'] : []),
    ...(field && names.includes(field) ? [`${field}=${thing?.id}`] : []),
  ];
  const each = names
    .filter((name) => name !== field)
    .flatMap((name) => valuesOf(world, name).map((value) => `${name}=${value}`));
  return [always, ...each.map((one) => [...always, one])].map((all) => (all.length > 0 ? `?${all.join('&')}` : ''));
}

function valuesOf({ things }: World, name: string): string[] {
  if (name === 'search') return [MARK];
  // Everything that there is, whatever the list is of.
  if (name === 'ids') return inLots(things.map(({ id }) => id)).map((ids) => ids.join(','));
  const values = PARAMETERS[name] ?? [];
  return typeof values === 'string' ? idsOf(things, values) : [...values];
}

const inLots = (ids: readonly string[]): string[][] =>
  ids.length === 0 ? [] : [ids.slice(0, MOST_IDS), ...inLots(ids.slice(MOST_IDS))];

export const idsOf = (things: readonly Thing[], wanted: IdSet): string[] =>
  things.filter(({ of }) => of === wanted).map(({ id }) => id);

async function make(world: World, { who, channel, method, path, body, isAttack }: Call): Promise<Received> {
  const token = who === 'anonymous' || who === 'invited' ? undefined : world.actors[who].token;
  const response = await fetch(`${world.url}/api${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await response.text();
  // Who is put off has not been answered.
  if (response.status >= 500 || response.status === 429)
    throw new Error(`${method} ${path} answered ${response.status}`);
  const from = `${method} ${path}`;
  // Who may change something may know of it, whatever the answer says.
  if (isAttack && response.ok) return { who, channel, from: `${from}, which was done`, text: `${path} ${text}` };
  return { who, channel, from, text: [...response.headers].flat().join(' ') + text };
}
