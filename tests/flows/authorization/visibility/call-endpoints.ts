import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';
import { MAX_IDS } from '@atrium/proto-events/fields';
import type { z } from 'zod';
import { sampleInputs } from '../../../contracts/sample-input.ts';
import { ACTORS, type ActorName } from './actors.ts';
import { CALLS, type EndpointRow, type IdSet, PARAMETERS } from './channels.ts';
import { type Channel, MARK, ofKind } from './kinds.ts';
import type { FixtureResource, VisibilityFixture } from './visibility-fixture.ts';

/** Data that reached a user: through which channel, in response to what, and its text. */
export type Received = { who: ActorName; channel: Channel; from: string; text: string };

const MAX_CONCURRENT_CALLS = 8;

type Call = { who: ActorName; channel: Channel; method: string; path: string; body?: unknown; isAttack: boolean };

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

export function parametersOf({ query }: Endpoint): string[] {
  return Object.keys((query as z.ZodObject | undefined)?.shape ?? {});
}

/** Calls every endpoint as every user, and tries to change resources that the user cannot see. */
export async function callEveryEndpoint(fixture: VisibilityFixture): Promise<Received[]> {
  // In reverse order: administrators read the security log before denials of other users fill its first pages.
  const callers = ACTORS.filter((who) => who !== 'invited').toReversed();
  const calls = callers.flatMap((who) =>
    ALL_ENDPOINTS.flatMap(({ endpoint }) => {
      const row = CALLS[nameOf(endpoint)];
      return row === undefined || row === 'own' ? [] : callsOf(fixture, who, endpoint, row);
    }),
  );
  const received: Received[] = [];
  const work = async () => {
    for (let next = calls.pop(); next; next = calls.pop()) received.push(await make(fixture, next));
  };
  // Endpoints that end a user's access come last.
  calls.sort((a, b) => Number(b.isAttack) - Number(a.isAttack));
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, work));
  return received;
}

function callsOf(fixture: VisibilityFixture, who: ActorName, endpoint: Endpoint, row: EndpointRow): Call[] {
  const { method } = endpoint;
  const isAttack = method !== 'GET' && row.idSet !== undefined;
  const things = row.idSet ? fixture.resources.filter(({ idSet: of }) => of === row.idSet) : [undefined];
  const concerned = things.filter((thing) => !isAttack || (thing && !canKnow(who, thing)));
  return concerned.flatMap((thing) =>
    bodiesOf(fixture, endpoint, row, thing).flatMap((body) =>
      queriesOf(fixture, endpoint, row, thing).map((query) => ({
        who,
        channel: query.includes('search=') ? ('search' as const) : row.channel,
        method,
        path: pathOf(fixture, endpoint, row, thing) + query,
        ...(body !== undefined && { body }),
        isAttack,
      })),
    ),
  );
}

const canKnow = (who: ActorName, { kind }: FixtureResource) => {
  const { sees, manages = [] } = ofKind(kind);
  return sees.includes(who) || manages.includes(who);
};

function pathOf(
  fixture: VisibilityFixture,
  { path }: Endpoint,
  { field = 'id' }: EndpointRow,
  thing: FixtureResource | undefined,
): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    if (name === field) return thing?.id ?? '';
    // Every document has a first version.
    if (name === 'number') return '1';
    return name === 'id' ? (thing?.parentId ?? thing?.id ?? '') : fixture.actors.stranger.id;
  });
}

/** A body in every shape of the contract, with only required fields if no resource is needed. */
function bodiesOf(
  fixture: VisibilityFixture,
  { body }: Endpoint,
  { field }: EndpointRow,
  thing: FixtureResource | undefined,
): unknown[] {
  if (!body) return [undefined];
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const about = {
    userId: fixture.actors.stranger.id,
    userIds: [fixture.actors.stranger.id],
    // All users, for the longest allowed range.
    people: idsOf(fixture.resources, 'users'),
    from: inDays(-1),
    to: inDays(61),
  };
  return sampleInputs(body).map((sample) => ({
    ...sample,
    ...Object.fromEntries(Object.entries(about).filter(([name]) => name in sample)),
    ...(field && field in sample && { [field]: thing?.id }),
  }));
}

/** One query without optional parameters, then one for each value of each parameter, including the search. */
function queriesOf(
  fixture: VisibilityFixture,
  endpoint: Endpoint,
  { field }: EndpointRow,
  thing: FixtureResource | undefined,
): string[] {
  const names = parametersOf(endpoint);
  const always = [
    ...(names.includes('limit') ? ['limit=100'] : []),
    ...(field && names.includes(field) ? [`${field}=${thing?.id}`] : []),
  ];
  const each = names
    .filter((name) => name !== field)
    .flatMap((name) => valuesOf(fixture, name).map((value) => `${name}=${value}`));
  return [always, ...each.map((one) => [...always, one])].map((all) => (all.length > 0 ? `?${all.join('&')}` : ''));
}

function valuesOf({ resources: things }: VisibilityFixture, name: string): string[] {
  if (name === 'search') return [MARK];
  // The ids of everything, whatever the list contains.
  if (name === 'ids') return inBatches(things.map(({ id }) => id)).map((ids) => ids.join(','));
  const values = PARAMETERS[name] ?? [];
  return typeof values === 'string' ? idsOf(things, values) : [...values];
}

const inBatches = (ids: readonly string[]): string[][] =>
  ids.length === 0 ? [] : [ids.slice(0, MAX_IDS), ...inBatches(ids.slice(MAX_IDS))];

export const idsOf = (things: readonly FixtureResource[], wanted: IdSet): string[] =>
  things.filter(({ idSet: of }) => of === wanted).map(({ id }) => id);

async function make(
  fixture: VisibilityFixture,
  { who, channel, method, path, body, isAttack }: Call,
): Promise<Received> {
  const token = who === 'anonymous' || who === 'invited' ? undefined : fixture.actors[who].token;
  const response = await fetch(`${fixture.url}/api${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  // A throttled request has no result.
  if (response.status >= 500 || response.status === 429)
    throw new Error(`${method} ${path} failed with status ${response.status}`);
  const from = `${method} ${path}`;
  // A user who can change a resource can see it, whatever the response contains.
  if (isAttack && response.ok) return { who, channel, from: `${from}, which succeeded`, text: `${path} ${text}` };
  return { who, channel, from, text: [...response.headers].flat().join(' ') + text };
}
