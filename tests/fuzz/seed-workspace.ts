import { runDemo } from '@atrium/tools/demo/demo';
import { DEMO_PASSWORD } from '@atrium/tools/demo/people';
import { buildProject, tokenIn } from '../workspace/builders.ts';
import { type Client, createResource, createUser, expectStatus, signIn, signInClient } from '../workspace/workspace.ts';

const ADMIN_EMAIL = 'maya@atrium.example';
/** How many times a call that consumes a resource can succeed. */
const USES_PER_CALL = 12;

/** Where the run signs in, and values that let calls succeed: existing ids and valid secrets. */
export type FuzzWorkspace = {
  url: string;
  email: string;
  password: string;
  /** Email addresses of users whose password may be changed; all users share one password. */
  passwordUsers: string[];
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

/** Fills an empty workspace with the demo, and with users and links that calls can consume. */
export async function seedFuzzWorkspace(url: string, print: (line: string) => void): Promise<FuzzWorkspace> {
  await runDemo({ baseUrl: url, print });
  const admin = await signInClient(url, ADMIN_EMAIL, DEMO_PASSWORD);
  const users = await listItems(admin, '/users?status=active&limit=100');
  const passwordUsers = await createUsers(url, admin, 'Leaver');
  const resettableUsers = await createUsers(url, admin, 'Forgetful');
  const allUserIds = users.map(({ _id }) => _id);
  const emails = resettableUsers.map(({ email }) => email);
  return {
    url,
    email: ADMIN_EMAIL,
    password: DEMO_PASSWORD,
    passwordUsers: passwordUsers.map(({ email }) => email),
    values: {
      people: allUserIds,
      managers: users.filter(({ role }) => role !== 'member').map(({ _id }) => _id),
      projects: (await listItems(admin, '/projects?limit=100')).map(({ _id }) => _id),
      teams: await createMany((n) => createProject(admin, `Everybody ${n}`, allUserIds)),
      conversations: (await listItems(admin, '/chat/conversations?limit=100')).map(({ _id }) => _id),
      channels: await createMany((n) => createChannel(admin, `everybody-${n}`, allUserIds)),
      starts: ['2031-03-05T09:00:00Z', '2031-06-30T23:30:00+02:00'],
      ends: ['2031-07-01T10:00:00Z', '2031-09-01T10:00:00-05:00'],
      links: ['https://meet.example.org/planning'],
      zones: ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'],
      emails,
      newcomers: await createMany(async (n) => `newcomer.${n}@example.org`),
      passwords: [DEMO_PASSWORD],
      invitations: await createMany((n) => invite(admin, n)),
      resets: await createMany((n) => createResetLink(admin, resettableUsers[n]?.id ?? '')),
      feeds: await Promise.all(resettableUsers.slice(0, 3).map(createFeed)),
      refreshTokens: await createMany(async (n) => (await signIn(url, emails[n] ?? '', DEMO_PASSWORD)).refreshToken),
    },
  };
}

const listItems = async (admin: Client, path: string) => (await expectStatus(admin.call<Page>('GET', path), 200)).data;

async function createMany<T>(create: (n: number) => Promise<T>): Promise<T[]> {
  const created: T[] = [];
  for (let n = 0; n < USES_PER_CALL; n += 1) created.push(await create(n));
  return created;
}

const createUsers = (url: string, admin: Client, first: string) =>
  createMany((n) => createUser(url, admin, { first, last: `No ${n}`, role: 'member', password: DEMO_PASSWORD }));

async function createProject(admin: Client, name: string, teamMembers: string[]): Promise<string> {
  return createResource(admin, '/projects', buildProject(name, admin, { teamMembers }));
}

async function createChannel(admin: Client, title: string, participants: string[]): Promise<string> {
  return createResource(admin, '/chat/conversations', { type: 'group', title, participants });
}

const createFeed = async (user: Client) =>
  (await expectStatus(user.call<{ token: string }>('POST', '/meetings/feed'), 201)).token;

async function invite(admin: Client, n: number): Promise<string> {
  const body = { email: `invited.${n}@example.org`, firstName: 'Invited', lastName: `No ${n}`, role: 'member' };
  return tokenIn((await expectStatus(admin.call<{ inviteUrl: string }>('POST', '/auth/invite', body), 201)).inviteUrl);
}

async function createResetLink(admin: Client, id: string): Promise<string> {
  return tokenIn(
    (await expectStatus(admin.call<{ resetUrl: string }>('POST', `/users/${id}/reset-link`), 200)).resetUrl,
  );
}
