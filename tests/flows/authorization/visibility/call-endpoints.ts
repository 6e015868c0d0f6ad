import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';
import { MAX_IDS } from '@atrium/proto-events/fields';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { z } from 'zod';
import { sampleInputs } from '../../../contracts/sample-input.ts';
import { ACTORS, type ActorName } from './actors.ts';
import { CALLS, type EndpointRow, type IdSet, PARAMETERS } from './channels.ts';
import type { FixtureResource, VisibilityFixture } from './fixture-resources.ts';
import { type Channel, getKind, getMark, MARK } from './kinds.ts';

/** Data that reached a user: its channel, the request or event that it came from, and its text. */
export type Received = { who: ActorName; channel: Channel; from: string; text: string };

const MAX_CONCURRENT_CALLS = 8;

type Call = { who: ActorName; channel: Channel; method: string; path: string; body?: unknown; isAttack: boolean };

export const describeEndpoint = ({ method, path }: Endpoint): string => `${method} ${path}`;

export function listQueryParameters({ query }: Endpoint): string[] {
  return Object.keys((query as z.ZodObject | undefined)?.shape ?? {});
}

/** Calls every endpoint as every user, and tries to change resources that the user cannot see. */
export async function callEveryEndpoint(fixture: VisibilityFixture): Promise<Received[]> {
  // The order is reversed, and `pop` takes calls from the end: administrators come first, before denials of other users
  // fill the first pages of the security log.
  const callers = ACTORS.filter((who) => who !== 'invited').toReversed();
  const calls = callers.flatMap((who) =>
    ALL_ENDPOINTS.flatMap(({ endpoint }) => {
      const row = CALLS[describeEndpoint(endpoint)];
      return row === undefined || row === 'own' ? [] : createCalls(fixture, who, endpoint, row);
    }),
  );
  const received: Received[] = [];
  const work = async () => {
    for (let next = calls.pop(); next; next = calls.pop()) received.push(await send(fixture, next));
  };
  // Calls that change data come last, because some end a user's access.
  calls.sort((a, b) => Number(b.isAttack) - Number(a.isAttack));
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, work));
  return received;
}

function createCalls(fixture: VisibilityFixture, who: ActorName, endpoint: Endpoint, row: EndpointRow): Call[] {
  const { method } = endpoint;
  const isAttack = method !== 'GET' && row.idSet !== undefined;
  const resources = row.idSet ? fixture.resources.filter(({ idSet }) => idSet === row.idSet) : [undefined];
  const targets = resources.filter((resource) => !isAttack || (resource && !canKnow(who, resource)));
  return targets.flatMap((resource) =>
    buildBodies(fixture, endpoint, row, resource).flatMap((body) =>
      buildQueries(fixture, endpoint, row, resource).map((query) => ({
        who,
        channel: query.includes('search=') ? ('search' as const) : row.channel,
        method,
        path: buildPath(fixture, endpoint, row, resource) + query,
        ...(body !== undefined && { body }),
        isAttack,
      })),
    ),
  );
}

const canKnow = (who: ActorName, { kind }: FixtureResource) => {
  const { sees, manages = [] } = getKind(kind);
  return sees.includes(who) || manages.includes(who);
};

function buildPath(
  fixture: VisibilityFixture,
  { path }: Endpoint,
  { field = 'id' }: EndpointRow,
  resource: FixtureResource | undefined,
): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    if (name === field) return resource?.id ?? '';
    // Every document has a first version.
    if (name === 'number') return '1';
    if (name === 'emoji') return encodeURIComponent('👍');
    return name === 'id' ? (resource?.parentId ?? resource?.id ?? '') : fixture.actors.stranger.id;
  });
}

/** Builds a body in every shape of the contract. */
function buildBodies(
  fixture: VisibilityFixture,
  { body }: Endpoint,
  { field }: EndpointRow,
  resource: FixtureResource | undefined,
): unknown[] {
  if (!body) return [undefined];
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const fixedFields = {
    userId: fixture.actors.stranger.id,
    userIds: [fixture.actors.stranger.id],
    // All users, for the longest period that is allowed.
    people: listIds(fixture.resources, 'users'),
    from: inDays(-1),
    to: inDays(61),
  };
  return sampleInputs(body).map((sample) => ({
    ...sample,
    ...Object.fromEntries(Object.entries(fixedFields).filter(([name]) => name in sample)),
    ...(field && field in sample && { [field]: resource?.id }),
  }));
}

/** Builds a query without optional parameters, and one for each value of each parameter, including `search`. */
function buildQueries(
  fixture: VisibilityFixture,
  endpoint: Endpoint,
  { field }: EndpointRow,
  resource: FixtureResource | undefined,
): string[] {
  const names = listQueryParameters(endpoint);
  const requiredParameters = [
    ...(names.includes('limit') ? ['limit=100'] : []),
    ...(field && names.includes(field) ? [`${field}=${resource?.id}`] : []),
  ];
  const optionalParameters = names
    .filter((name) => name !== field)
    .flatMap((name) => listValues(fixture, name).map((value) => `${name}=${value}`));
  const queries = [requiredParameters, ...optionalParameters.map((parameter) => [...requiredParameters, parameter])];
  return queries.map((parameters) => (parameters.length > 0 ? `?${parameters.join('&')}` : ''));
}

function listValues({ resources }: VisibilityFixture, name: string): string[] {
  if (name === 'search') return [MARK];
  // Only its comment has that mark.
  const ofComment = getMark('comment', 'a');
  if (name === 'q')
    return [MARK, ofComment, 'has:file', ...listIds(resources, 'conversations').map((id) => `in:${id}`)];
  // Lists must not return a resource by id either, so every id is requested.
  if (name === 'ids') return splitIntoBatches(resources.map(({ id }) => id)).map((ids) => ids.join(','));
  const values = PARAMETERS[name] ?? [];
  return typeof values === 'string' ? listIds(resources, values) : [...values];
}

const splitIntoBatches = (ids: readonly string[]): string[][] =>
  ids.length === 0 ? [] : [ids.slice(0, MAX_IDS), ...splitIntoBatches(ids.slice(MAX_IDS))];

export const listIds = (resources: readonly FixtureResource[], idSet: IdSet): string[] =>
  resources.filter((resource) => resource.idSet === idSet).map(({ id }) => id);

async function send(
  fixture: VisibilityFixture,
  { who, channel, method, path, body, isAttack }: Call,
): Promise<Received> {
  const token = who === 'anonymous' || who === 'invited' ? undefined : fixture.actors[who].token;
  const fetchText = async () => {
    const response = await fetch(`${fixture.url}/api${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    return { response, text: await response.text() };
  };
  // A search that leaves out a busy service would show nothing about its visibility.
  const { response, text } = await waitFor(
    async () => {
      const fetched = await fetchText();
      return path.startsWith('/search?') && /"missing":\["/.test(fetched.text) ? undefined : fetched;
    },
    { description: `a complete response to ${path}` },
  );
  // A rate-limited or failed request would show nothing about visibility.
  if (response.status >= 500 || response.status === 429)
    throw new Error(`${method} ${path} failed with status ${response.status}`);
  const from = `${method} ${path}`;
  // A user who can change a resource counts as seeing it, so the text includes the path with its id.
  if (isAttack && response.ok) return { who, channel, from: `${from}, which succeeded`, text: `${path} ${text}` };
  return { who, channel, from, text: [...response.headers].flat().join(' ') + text };
}
