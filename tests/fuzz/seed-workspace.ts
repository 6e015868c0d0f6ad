import { runDemo } from '@atrium/tools/demo/demo';
import { DEMO_PASSWORD } from '@atrium/tools/demo/people';
import { type Client, demand, join, signedIn, signIn } from '../flows/workspace.ts';

const ADMINISTRATOR = 'maya@atrium.example';
/** How often a call that uses something up may succeed. */
const SUPPLY = 12;

/** Where the run signs in, and values with which calls get further than 404: ids of what there is, secrets that are good. */
export type World = {
  url: string;
  email: string;
  password: string;
  /** E-mail addresses of people who may change their password, which is that of everybody. */
  leavers: string[];
  values: Record<
    | 'people'
    | 'managers'
    | 'projects'
    | 'teams'
    | 'conversations'
    | 'channels'
    | 'starts'
    | 'ends'
    | 'zones'
    | 'links'
    | 'emails'
    | 'newcomers'
    | 'passwords'
    | 'invitations'
    | 'resets'
    | 'refreshTokens'
    | 'feeds',
    string[]
  >;
};

type Page = { data: { _id: string; role?: string }[] };

/** Fills an empty workspace with the demo, and with people and links for the calls that use them up. */
export async function seedFuzzWorkspace(url: string, say: (line: string) => void): Promise<World> {
  await runDemo({ baseUrl: url, say });
  const admin = await signedIn(url, ADMINISTRATOR, DEMO_PASSWORD);
  const people = await listOf(admin, '/users?status=active&limit=100');
  const leavers = await someone(url, admin, 'Leaver');
  const forgetful = await someone(url, admin, 'Forgetful');
  const everybody = people.map(({ _id }) => _id);
  const emails = forgetful.map(({ email }) => email);
  return {
    url,
    email: ADMINISTRATOR,
    password: DEMO_PASSWORD,
    leavers: leavers.map(({ email }) => email),
    values: {
      people: everybody,
      managers: people.filter(({ role }) => role !== 'member').map(({ _id }) => _id),
      projects: (await listOf(admin, '/projects?limit=100')).map(({ _id }) => _id),
      teams: await several((n) => openProject(admin, `Everybody ${n}`, everybody)),
      conversations: (await listOf(admin, '/chat/conversations?limit=100')).map(({ _id }) => _id),
      channels: await several((n) => openChannel(admin, `everybody-${n}`, everybody)),
      starts: ['2031-03-05T09:00:00Z', '2031-06-30T23:30:00+02:00'],
      ends: ['2031-07-01T10:00:00Z', '2031-09-01T10:00:00-05:00'],
      links: ['https://meet.example.org/planning'],
      zones: ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'],
      emails,
      newcomers: await several(async (n) => `newcomer.${n}@example.org`),
      passwords: [DEMO_PASSWORD],
      invitations: await several((n) => invite(admin, n)),
      resets: await several((n) => resetLink(admin, forgetful[n]?.id ?? '')),
      feeds: await Promise.all(forgetful.slice(0, 3).map(openFeed)),
      refreshTokens: await several(async (n) => (await signIn(url, emails[n] ?? '', DEMO_PASSWORD)).refreshToken),
    },
  };
}

const listOf = async (admin: Client, path: string) => (await demand(admin.call<Page>('GET', path), 200)).data;

async function several<T>(make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let n = 0; n < SUPPLY; n += 1) made.push(await make(n));
  return made;
}

const someone = (url: string, admin: Client, first: string) =>
  several((n) => join(url, admin, { first, last: `No ${n}`, role: 'member', password: DEMO_PASSWORD }));

/** With everybody in its team. */
async function openProject(admin: Client, name: string, teamMembers: string[]): Promise<string> {
  const about = { description: 'For whom to take out of a team', priority: 'low', status: 'in-progress' };
  const body = { name, ...about, projectManager: admin.id, teamMembers };
  return (await demand(admin.call<{ _id: string }>('POST', '/projects', body), 201))._id;
}

async function openChannel(admin: Client, title: string, participants: string[]): Promise<string> {
  const body = { type: 'group', title, participants };
  return (await demand(admin.call<{ _id: string }>('POST', '/chat/conversations', body), 201))._id;
}

const openFeed = async (person: Client) =>
  (await demand(person.call<{ token: string }>('POST', '/meetings/feed'), 201)).token;

async function invite(admin: Client, n: number): Promise<string> {
  const body = { email: `invited.${n}@example.org`, firstName: 'Invited', lastName: `No ${n}`, role: 'member' };
  return tokenOf((await demand(admin.call<{ inviteUrl: string }>('POST', '/auth/invite', body), 201)).inviteUrl);
}

async function resetLink(admin: Client, id: string): Promise<string> {
  return tokenOf((await demand(admin.call<{ resetUrl: string }>('POST', `/users/${id}/reset-link`), 200)).resetUrl);
}

const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? '';
