import { waitFor } from '@atrium/test-kit/wait-for';
import type { Browser, Locator, Page } from 'playwright-core';
import { buildProject } from '../../workspace/builders.ts';
import {
  type Client,
  createResource,
  createUser,
  expectStatus,
  waitForConversation,
} from '../../workspace/workspace.ts';
import type { BrowserUser } from '../browser-user.ts';
import { openSignedInPage } from '../test-environment.ts';

/** A user, with the API and with a browser. */
export type Teammate = BrowserUser & { client: Client };

/** The five users of the day. `keys` uses the keyboard and a screen reader only. */
export type Team = {
  admin: Teammate;
  manager: Teammate;
  desk: Teammate;
  phone: Teammate;
  keys: Teammate;
  /** The id of a project of the manager, the desk, and the keyboard user. */
  project: string;
  openDevice(teammate: Teammate, path: string): Promise<BrowserUser>;
};

export const DEPARTMENT = 'Release crew';
export const PROJECT = 'Harbor office';
/** Together with the team, just more than can be notified without a confirmation. */
const COLLEAGUES = 47;
const CONCURRENCY = 8;

export const everyone = ({ admin, manager, desk, phone, keys }: Team): Teammate[] => [
  admin,
  manager,
  desk,
  phone,
  keys,
];

export async function openTeam(browser: Browser, url: string, admin: Client): Promise<Team> {
  const create = (first: string, last: string, role: 'member' | 'project_manager' = 'member') =>
    createUser(url, admin, { first, last, role });
  const manager = await create('Jonas', 'Brandt', 'project_manager');
  const members = [
    await create('Lena', 'Falk'),
    await create('Omar', 'Haddad'),
    await create('Stan', 'Novak'),
  ] as const;
  const [desk, phone, keys] = members;
  const project = await createResource(
    admin,
    '/projects',
    buildProject(PROJECT, manager, { teamMembers: [desk.id, keys.id], priority: 'high' }),
  );
  await createDepartment(admin, [manager, ...members, ...(await createColleagues(create))]);
  await waitForConversation(keys, PROJECT);
  const open = async (client: Client, device?: 'phone'): Promise<Teammate> => {
    const address = `${url}/chat`;
    const user = await openSignedInPage(browser, client, { address, savesData: true, ...(device && { device }) });
    return { ...user, client };
  };
  const [adminUser, managerUser, deskUser, phoneUser, keysUser] = await Promise.all([
    open(admin),
    open(manager),
    open(desk),
    open(phone, 'phone'),
    open(keys),
  ]);
  return {
    admin: adminUser,
    manager: managerUser,
    desk: deskUser,
    phone: phoneUser,
    keys: keysUser,
    project,
    openDevice: ({ client }, path) => openSignedInPage(browser, client, { address: `${url}${path}`, savesData: true }),
  };
}

async function createColleagues(create: (first: string, last: string) => Promise<Client>): Promise<Client[]> {
  const names = Array.from({ length: COLLEAGUES }, (_, index) => `Colleague${String.fromCharCode(97 + (index % 26))}`);
  const created: Client[] = [];
  for (let start = 0; start < names.length; start += CONCURRENCY) {
    const chunk = names.slice(start, start + CONCURRENCY);
    created.push(...(await Promise.all(chunk.map((name, index) => create(name, lastNameOf(start + index))))));
  }
  return created;
}

const lastNameOf = (index: number): string =>
  `Reed${String.fromCharCode(97 + (index % 26))}${index < 26 ? 'son' : 'ley'}`;

async function createDepartment(admin: Client, members: readonly Client[]): Promise<void> {
  const department = await createResource(admin, '/departments', { name: DEPARTMENT });
  for (let start = 0; start < members.length; start += CONCURRENCY)
    await Promise.all(
      members
        .slice(start, start + CONCURRENCY)
        .map(({ id }) => expectStatus(admin.call('PATCH', `/users/${id}`, { department }), 200)),
    );
}

/** Sends a message without a browser. */
export const write = ({ client }: Teammate, conversation: string, content: string, fields: object = {}) =>
  expectStatus(
    client.call<{ _id: string; seq: number }>('POST', '/chat/messages', { conversation, content, ...fields }),
    201,
  );

export const conversationOf = (page: Page): string => new URL(page.url()).searchParams.get('c') ?? '';

type Figures = { title: number; navigation: number; list: number; server: number };

const readCount = async (label: Locator): Promise<number> => {
  const labels = await label.allTextContents();
  return labels.reduce((total, text) => total + (Number.parseInt(text, 10) || 0), 0);
};

/** The unread messages and replies that the tab, the navigation, the list, and the server show. */
async function readFigures({ page, client }: Teammate): Promise<Figures> {
  const list = page.getByRole('region', { name: 'Conversations' });
  const server = await expectStatus(client.call<{ total: number; threads: number }>('GET', '/chat/unread'), 200);
  const notifications = await expectStatus(
    client.call<{ data: { subject: { resource: string } }[] }>('GET', '/notifications?filter=unread&limit=100'),
    200,
  );
  // Team Chat counts the messages itself.
  const others = notifications.data.filter(({ subject }) => !['conversation', 'thread'].includes(subject.resource));
  const title = Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);
  return {
    title: title - others.length,
    navigation: await readCount(
      page
        .getByRole('navigation')
        .getByRole('link', { name: /Chat/ })
        .first()
        .getByText(/^\d+ unread/),
    ),
    list: await readCount(list.getByRole('link').getByText(/^\d+ unread/)),
    server: server.total + server.threads,
  };
}

/** Waits until every place shows the same number of unread messages as the server. */
export async function untilFigures(teammate: Teammate, count: number): Promise<void> {
  let last: Figures | undefined;
  const agree = async () => {
    last = await readFigures(teammate);
    return Object.values(last).every((figure) => figure === count);
  };
  await waitFor(agree, { description: `${count} unread everywhere` }).catch((error: unknown) => {
    throw new Error(`${error} for ${teammate.name}: ${JSON.stringify(last)}`);
  });
}
