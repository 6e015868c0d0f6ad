import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { uploadForm } from '../../../workspace/builders.ts';
import { type Client, PASSWORD, send, signIn } from '../../../workspace/workspace.ts';
import { type Actors, callAs, SIGNED_IN, type SignedIn } from './actors.ts';
import { nameOf } from './call-endpoints.ts';
import { CALLS } from './channels.ts';
import { idOf, type VisibilityFixture } from './visibility-fixture.ts';

/** Creates a resource that not every user can see. `moves` lists the users whose counts must change. */
export type Step = { what: string; moves: readonly SignedIn[]; run: (fixture: VisibilityFixture) => Promise<unknown> };

const HOUR_MS = 3_600_000;
const soon = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

const upload = ({ url }: VisibilityFixture, { token }: Client, fields: Record<string, string>) =>
  send(`${url}/api/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: uploadForm('one-more.txt', { tags: 'one-more', ...fields }),
  });
const say = (fixture: VisibilityFixture, type: 'direct' | 'group' | 'project') =>
  callAs(fixture.actors.member, [
    'POST',
    '/chat/messages',
    { conversation: idOf(fixture, `conversation ${type}`), content: 'One more' },
  ]);

export const STEPS: readonly Step[] = [
  {
    what: 'a meeting',
    moves: ['admin', 'manager', 'member'],
    run: ({ actors }) =>
      callAs(actors.manager, [
        'POST',
        '/meetings',
        {
          title: 'One more',
          type: 'standup',
          startTime: soon(1),
          endTime: soon(2),
          meetingLink: 'https://meet.example.org/one-more',
          participants: [actors.member.id],
        },
      ]),
  },
  {
    what: 'a private document',
    moves: ['admin', 'uploader'],
    run: (fixture) => upload(fixture, fixture.actors.uploader, { visibility: 'private' }),
  },
  {
    what: 'a share of a private document',
    moves: ['stranger'],
    run: (fixture) =>
      callAs(
        fixture.actors.uploader,
        ['POST', `/documents/${idOf(fixture, 'document private')}/share`, { userIds: [fixture.actors.stranger.id] }],
        200,
      ),
  },
  {
    what: 'a share of a private document with a department',
    moves: ['partner'],
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
    what: 'a share of a private document with a project',
    moves: ['manager', 'member'],
    run: (fixture) =>
      callAs(
        fixture.actors.uploader,
        ['POST', `/documents/${idOf(fixture, 'document private')}/share`, { projectIds: [idOf(fixture, 'project')] }],
        200,
      ),
  },
  {
    what: 'a document visible to project members',
    moves: ['admin', 'manager', 'member'],
    run: (fixture) =>
      upload(fixture, fixture.actors.manager, { visibility: 'team', project: idOf(fixture, 'project') }),
  },
  {
    what: 'a channel',
    moves: ['manager', 'member'],
    run: ({ actors }) =>
      callAs(actors.manager, [
        'POST',
        '/chat/conversations',
        { type: 'group', title: 'one-more', participants: [actors.member.id] },
      ]),
  },
  { what: 'a direct message', moves: ['partner'], run: (fixture) => say(fixture, 'direct') },
  { what: 'a message in a channel', moves: ['manager'], run: (fixture) => say(fixture, 'group') },
  { what: 'a message to a project', moves: ['manager', 'guest'], run: (fixture) => say(fixture, 'project') },
  { what: 'a sign-in', moves: ['member'], run: ({ url, actors }) => signIn(url, actors.member.email, PASSWORD) },
];

/** Endpoints with counts: lists without their items, and statistics. */
const COUNTING = ALL_ENDPOINTS.filter(({ service, endpoint }) => {
  const row = CALLS[nameOf(endpoint)];
  // Notifications arrive asynchronously.
  const isCount =
    endpoint.method === 'GET' && row !== undefined && row !== 'own' && row.channel === 'list' && !row.idSet;
  return isCount && service !== 'notifications';
}).map(({ endpoint }) => endpoint.path);

/** The counts of each user as one string; sequentially, because services limit concurrent requests. */
export async function countAll(actors: Actors): Promise<Record<SignedIn, string>> {
  const counts: [SignedIn, string][] = [];
  for (const who of SIGNED_IN) {
    const lines = COUNTING.map(async (path) => {
      const { status, body } = await actors[who].call('GET', path);
      return `${path} ${status} ${numbersOf(body)}`;
    });
    counts.push([who, (await Promise.all(lines)).join('\n')]);
  }
  return Object.fromEntries(counts) as Record<SignedIn, string>;
}

/** The response without list items and request ids. */
function numbersOf(body: Record<string, unknown>): string {
  if (Array.isArray(body)) return String(body.length);
  const { data: _data, requestId: _request, ...rest } = body;
  return JSON.stringify(rest);
}

/** The users whose counts have changed. */
export const findChangedUsers = (before: Record<SignedIn, string>, after: Record<SignedIn, string>): SignedIn[] =>
  SIGNED_IN.filter((who) => before[who] !== after[who]);
