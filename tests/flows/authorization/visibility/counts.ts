import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { waitFor } from '@atrium/test-kit/wait-for';
import { uploadForm } from '../../../workspace/builders.ts';
import { type Client, PASSWORD, send, signIn } from '../../../workspace/workspace.ts';
import { type Actors, callAs, SIGNED_IN, type SignedIn } from './actors.ts';
import { describeEndpoint } from './call-endpoints.ts';
import { CALLS } from './channels.ts';
import { idOf, type VisibilityFixture } from './fixture-resources.ts';
import { MARK } from './kinds.ts';

/** Creates a resource or share. Only the counts of the users in `changesCountsOf` must change. */
export type Step = {
  description: string;
  changesCountsOf: readonly SignedIn[];
  run: (fixture: VisibilityFixture) => Promise<unknown>;
};

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

const upload = ({ url }: VisibilityFixture, { token }: Client, fields: Record<string, string>) =>
  send(`${url}/api/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: uploadForm('one-more.txt', { tags: 'one-more', ...fields }),
  });
/** Waits until the message is found, because messages are indexed in the background. */
async function sendMessage(fixture: VisibilityFixture, type: 'direct' | 'group' | 'project'): Promise<void> {
  const { member } = fixture.actors;
  const count = async () => (await search(member, 'one more')).find((group) => group.type === 'message')?.total ?? 0;
  const countBefore = await count();
  const message = { conversation: idOf(fixture, `conversation ${type}`), content: 'One more' };
  await callAs(member, ['POST', '/chat/messages', message]);
  await waitFor(async () => (await count()) > countBefore, { description: 'the message to be found' });
}

type FoundCount = { type: string; total: number; more: boolean };

/** Returns how many results of each type a user finds. Waits for services that are busy. */
const search = (client: Client, q: string): Promise<FoundCount[]> =>
  waitFor(
    async () => {
      const path = `/search?${new URLSearchParams({ q, limit: '1' })}`;
      const { body } = await client.call<{ groups: FoundCount[]; missing: string[] }>('GET', path);
      return body.missing.length > 0 ? undefined : body.groups.map(({ type, total, more }) => ({ type, total, more }));
    },
    { description: 'a complete search' },
  );

export const STEPS: readonly Step[] = [
  {
    description: 'a meeting',
    changesCountsOf: ['admin', 'manager', 'member'],
    run: ({ actors }) =>
      callAs(actors.manager, [
        'POST',
        '/meetings',
        {
          title: 'One more',
          type: 'standup',
          startTime: inHours(1),
          endTime: inHours(2),
          meetingLink: 'https://meet.example.org/one-more',
          participants: [actors.member.id],
        },
      ]),
  },
  {
    description: 'a private document',
    changesCountsOf: ['admin', 'uploader'],
    run: (fixture) => upload(fixture, fixture.actors.uploader, { visibility: 'private' }),
  },
  {
    description: 'a share of a private document',
    changesCountsOf: ['stranger'],
    run: (fixture) =>
      callAs(
        fixture.actors.uploader,
        ['POST', `/documents/${idOf(fixture, 'document private')}/share`, { userIds: [fixture.actors.stranger.id] }],
        200,
      ),
  },
  {
    description: 'a share of a private document with a department',
    changesCountsOf: ['partner'],
    run: (fixture) =>
      callAs(
        fixture.actors.uploader,
        [
          'POST',
          `/documents/${idOf(fixture, 'document private')}/share`,
          { departmentIds: [idOf(fixture, 'department')] },
        ],
        200,
      ),
  },
  {
    description: 'a share of a private document with a project',
    changesCountsOf: ['manager', 'member'],
    run: (fixture) =>
      callAs(
        fixture.actors.uploader,
        ['POST', `/documents/${idOf(fixture, 'document private')}/share`, { projectIds: [idOf(fixture, 'project')] }],
        200,
      ),
  },
  {
    description: 'a document visible to project members',
    changesCountsOf: ['admin', 'manager', 'member'],
    run: (fixture) =>
      upload(fixture, fixture.actors.manager, { visibility: 'team', project: idOf(fixture, 'project') }),
  },
  {
    description: 'a channel',
    changesCountsOf: ['manager', 'member'],
    run: ({ actors }) =>
      callAs(actors.manager, [
        'POST',
        '/chat/conversations',
        { type: 'group', title: 'one-more', participants: [actors.member.id] },
      ]),
  },
  // The sender finds it, too.
  {
    description: 'a direct message',
    changesCountsOf: ['member', 'partner'],
    run: (fixture) => sendMessage(fixture, 'direct'),
  },
  {
    description: 'a message in a channel',
    changesCountsOf: ['manager', 'member'],
    run: (fixture) => sendMessage(fixture, 'group'),
  },
  {
    description: 'a message to a project',
    changesCountsOf: ['manager', 'member', 'guest'],
    run: (fixture) => sendMessage(fixture, 'project'),
  },
  {
    description: 'a sign-in',
    changesCountsOf: ['member'],
    run: ({ url, actors }) => signIn(url, actors.member.email, PASSWORD),
  },
];

/** The paths of endpoints that return counts: lists, whose items are ignored, and statistics. */
const COUNT_PATHS = ALL_ENDPOINTS.filter(({ service, endpoint }) => {
  const row = CALLS[describeEndpoint(endpoint)];
  // Notifications are excluded, because they arrive asynchronously.
  const hasCount =
    endpoint.method === 'GET' && row !== undefined && row !== 'own' && row.channel === 'list' && !row.idSet;
  return hasCount && service !== 'notifications';
}).map(({ endpoint }) => endpoint.path);

/**
 * Returns the counts of each user as one string. Users follow one another, because services limit concurrent requests.
 */
export async function countAll(actors: Actors): Promise<Record<SignedIn, string>> {
  const counts: [SignedIn, string][] = [];
  for (const who of SIGNED_IN) {
    const lines = COUNT_PATHS.map(async (path) => {
      const { status, body } = await actors[who].call('GET', path);
      return `${path} ${status} ${formatCounts(body)}`;
    });
    // What the steps create, and what they share.
    const found = [await search(actors[who], 'one more'), await search(actors[who], MARK)];
    counts.push([who, [...(await Promise.all(lines)), JSON.stringify(found)].join('\n')]);
  }
  return Object.fromEntries(counts) as Record<SignedIn, string>;
}

/** Returns a response without list items, their people, the time of the list, and request id. */
function formatCounts(body: Record<string, unknown>): string {
  if (Array.isArray(body)) return String(body.length);
  const { data: _data, people: _people, asOf: _asOf, requestId: _request, ...rest } = body;
  return JSON.stringify(rest);
}

/** Lists the users whose counts have changed. */
export const findChangedUsers = (before: Record<SignedIn, string>, after: Record<SignedIn, string>): SignedIn[] =>
  SIGNED_IN.filter((who) => before[who] !== after[who]);
