import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { type Client, PASSWORD, send, signIn, uploadForm } from '../../workspace.ts';
import { type Cast, does, SIGNED_IN, type SignedIn } from './actors.ts';
import { nameOf } from './ask.ts';
import { CALLS } from './channels.ts';
import { idOf, type World } from './visibility-fixture.ts';

/** One more of a kind that not everybody may see, and whose numbers go up with it. */
export type Step = { what: string; moves: readonly SignedIn[]; run: (world: World) => Promise<unknown> };

const IN_AN_HOUR = 3_600_000;
const soon = (hours: number) => new Date(Date.now() + hours * IN_AN_HOUR).toISOString();

const upload = ({ url }: World, { token }: Client, fields: Record<string, string>) =>
  send(`${url}/api/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: uploadForm('one-more.txt', { tags: 'one-more', ...fields }),
  });
const say = (world: World, type: 'direct' | 'group' | 'project') =>
  does(world.actors.member, [
    'POST',
    '/chat/messages',
    { conversation: idOf(world, `conversation ${type}`), content: 'One more' },
  ]);

export const STEPS: readonly Step[] = [
  {
    what: 'a meeting',
    moves: ['admin', 'manager', 'member'],
    run: ({ actors }) =>
      does(actors.manager, [
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
    run: (world) => upload(world, world.actors.uploader, { visibility: 'private' }),
  },
  {
    what: 'a share of a private document',
    moves: ['stranger'],
    run: (world) =>
      does(
        world.actors.uploader,
        ['POST', `/documents/${idOf(world, 'document private')}/share`, { userIds: [world.actors.stranger.id] }],
        200,
      ),
  },
  {
    what: 'a share of a private document with a department',
    moves: ['partner'],
    run: (world) =>
      does(
        world.actors.uploader,
        ['POST', `/documents/${idOf(world, 'document private')}/share`, { departmentIds: [idOf(world, 'department')] }],
        200,
      ),
  },
  {
    what: 'a share of a private document with a project',
    moves: ['manager', 'member'],
    run: (world) =>
      does(
        world.actors.uploader,
        ['POST', `/documents/${idOf(world, 'document private')}/share`, { projectIds: [idOf(world, 'project')] }],
        200,
      ),
  },
  {
    what: 'a document of a project’s people',
    moves: ['admin', 'manager', 'member'],
    run: (world) => upload(world, world.actors.manager, { visibility: 'team', project: idOf(world, 'project') }),
  },
  {
    what: 'a channel',
    moves: ['manager', 'member'],
    run: ({ actors }) =>
      does(actors.manager, [
        'POST',
        '/chat/conversations',
        { type: 'group', title: 'one-more', participants: [actors.member.id] },
      ]),
  },
  { what: 'a message to one other', moves: ['partner'], run: (world) => say(world, 'direct') },
  { what: 'a message in a channel', moves: ['manager'], run: (world) => say(world, 'group') },
  { what: 'a message to a project', moves: ['manager', 'guest'], run: (world) => say(world, 'project') },
  { what: 'a sign-in', moves: ['member'], run: ({ url, actors }) => signIn(url, actors.member.email, PASSWORD) },
];

/** What says how many there are: lists without what is in them, and every number that is asked for by itself. */
const COUNTING = ALL_ENDPOINTS.filter(({ service, endpoint }) => {
  const row = CALLS[nameOf(endpoint)];
  // Notices come by events, a moment later.
  const isCount = endpoint.method === 'GET' && row !== undefined && row !== 'own' && row.channel === 'list' && !row.of;
  return isCount && service !== 'notifications';
}).map(({ endpoint }) => endpoint.path);

/** Each person's numbers, as one text; one person after the other, as no service takes so many questions at once. */
export async function countAll(actors: Cast): Promise<Record<SignedIn, string>> {
  const counts: [SignedIn, string][] = [];
  for (const who of SIGNED_IN) {
    const answers = COUNTING.map(async (path) => {
      const { status, body } = await actors[who].call('GET', path);
      return `${path} ${status} ${numbersOf(body)}`;
    });
    counts.push([who, (await Promise.all(answers)).join('\n')]);
  }
  return Object.fromEntries(counts) as Record<SignedIn, string>;
}

/** Without what is in a list, and whom a refusal was for. */
function numbersOf(body: Record<string, unknown>): string {
  if (Array.isArray(body)) return String(body.length);
  const { data: _data, requestId: _request, ...rest } = body;
  return JSON.stringify(rest);
}

/** Whose numbers have changed. */
export const whoseChanged = (before: Record<SignedIn, string>, after: Record<SignedIn, string>): SignedIn[] =>
  SIGNED_IN.filter((who) => before[who] !== after[who]);
