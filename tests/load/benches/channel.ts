import { setTimeout as delay } from 'node:timers/promises';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { MENTION_EVERYONE, mentionOfGroup } from '@atrium/proto-events/text/mentions';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { type Figure, percentile, recordTime, type TimesByName } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { connectRaw, type RawSocket } from '../raw-socket.ts';

const USERS = 20_000;
const ONLINE = 200;
const SMALL = 20;
const MESSAGES = 200;
const OPENINGS = 100;
const JOINS = 40;
const CONTENT = 'A message of the usual length, with nothing special in it.';
const DEPARTMENT = { _id: newId(), name: 'Everyone', isActive: true, version: 1 };

type Api = {
  call<Body>(as: DirectoryUser, method: string, path: string, body?: object): Promise<Body>;
  timed(as: DirectoryUser, method: string, path: string, body?: object): Promise<number>;
};

/** A channel whose 20,000 members come from a department, with 200 of them online, next to a channel of 20. */
export async function benchChannel(environment: LoadEnvironment): Promise<Figure[]> {
  const users = Array.from({ length: USERS }, () => buildUser({ departmentId: DEPARTMENT._id }));
  const owner = buildUser({ role: 'admin' });
  await environment.fillDirectory('channel', [owner, ...users], [DEPARTMENT]);
  const chat = await environment.startService('chat', 'channel', { env: { MAX_GROUPS_PER_USER_PER_DAY: '0' } });
  const sockets: RawSocket[] = [];
  try {
    const api = createApi(environment, chat.url);
    const create = async (title: string, participants: readonly DirectoryUser[]) => {
      const body = { type: 'group', visibility: 'public', title, participants: participants.map(({ _id }) => _id) };
      return (await api.call<Conversation>(owner, 'POST', '/chat/conversations', body))._id;
    };
    for (const user of users.slice(0, ONLINE)) {
      const auth = { token: await environment.tokenFor(user) };
      sockets.push(await connectRaw(chat.url, '/chat', auth));
    }
    const small = await create('small', users.slice(0, SMALL - 1));
    const large = await create('large', []);
    const [sender = owner] = users;
    const derived = await measureDerivation(api, owner, large);
    environment.print(`  ${USERS} participants after ${derived.seconds.toFixed(1)} s`);
    return [
      ...derivationFigures(derived),
      ...(await measureMessages(api, sender, { small, large })),
      ...(await measureOpening(api, users, large)),
      ...(await measureMembership(api, users, large)),
    ];
  } finally {
    for (const socket of sockets) socket.close();
    await chat.stop();
  }
}

function createApi(environment: LoadEnvironment, url: string): Api {
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (user: DirectoryUser) => {
    const token = tokens.get(user._id) ?? environment.tokenFor(user);
    tokens.set(user._id, token);
    return token;
  };
  const request = async (as: DirectoryUser, method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${await tokenOf(as)}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  return {
    call: async (...params) => JSON.parse(await request(...params)),
    async timed(as, ...params) {
      await tokenOf(as);
      const startedAt = performance.now();
      await request(as, ...params);
      return performance.now() - startedAt;
    },
  };
}

type Derivation = { seconds: number; sends: number[] };

/** Adds the department, and sends messages as the owner until all of its members are in the channel. */
async function measureDerivation(api: Api, owner: DirectoryUser, channel: string): Promise<Derivation> {
  const startedAt = performance.now();
  const group = { type: 'department', id: DEPARTMENT._id };
  await api.call(owner, 'POST', `/chat/conversations/${channel}/groups`, group);
  const sends: number[] = [];
  for (;;) {
    sends.push(await api.timed(owner, 'POST', '/chat/messages', { conversation: channel, content: CONTENT }));
    const path = `/chat/conversations/${channel}/participants?limit=1`;
    const { total } = await api.call<{ total: number }>(owner, 'GET', path);
    if (total > USERS) return { seconds: (performance.now() - startedAt) / 1000, sends };
    await delay(20);
  }
}

const derivationFigures = ({ seconds, sends }: Derivation): Figure[] => [
  {
    name: 'a department of 20,000 in a channel',
    value: seconds,
    unit: ' s',
    limit: 5,
    sense: 'at most',
    detail: 'until all of its members are participants',
  },
  {
    name: 'a message to the channel in the meantime',
    value: Math.max(...sends),
    unit: ' ms',
    limit: 500,
    sense: 'at most',
    detail: `the slowest of ${sends.length}`,
  },
];

/** Alternates between the kinds, so that other load on the machine affects all of them. */
async function measureMessages(
  api: Api,
  sender: DirectoryUser,
  { small, large }: { small: string; large: string },
): Promise<Figure[]> {
  const kinds = {
    small: { conversation: small, content: CONTENT },
    large: { conversation: large, content: CONTENT },
    everyone: { conversation: large, content: `${MENTION_EVERYONE} ${CONTENT}` },
    department: { conversation: large, content: `${mentionOfGroup({ type: 'department', id: DEPARTMENT._id })} x` },
  };
  const p95: Record<string, number> = {};
  const times: TimesByName = {};
  for (let index = 0; index < MESSAGES; index += 1)
    for (const [kind, body] of Object.entries(kinds)) {
      const ms = await api.timed(sender, 'POST', '/chat/messages', body);
      // The first ones warm up.
      if (index >= MESSAGES / 10) recordTime(times, kind, ms);
    }
  for (const [kind, list] of Object.entries(times)) p95[kind] = percentile(list, 0.95);
  const ratio = (kind: string, base: string) => (p95[kind] ?? Number.NaN) / (p95[base] ?? Number.NaN);
  const figure = (name: string, kind: string, base: string): Figure => ({
    ...{ name, value: ratio(kind, base), unit: '×', limit: 1.5, sense: 'at most' },
    detail: `p95 ${p95[kind]?.toFixed(1)} against ${p95[base]?.toFixed(1)} ms, ${ONLINE} online`,
  });
  return [
    figure('a message to 20,000 against one to 20', 'large', 'small'),
    figure('a mention of everyone against a plain message', 'everyone', 'large'),
    figure('a mention of a department against a plain message', 'department', 'large'),
  ];
}

/** As different users, who each request what a browser needs to show the channel. */
async function measureOpening(api: Api, users: readonly DirectoryUser[], channel: string): Promise<Figure[]> {
  const openings: number[] = [];
  const lists: number[] = [];
  const searches: number[] = [];
  const path = `/chat/conversations/${channel}`;
  for (const user of users.slice(0, OPENINGS)) {
    const [conversation, messages] = await Promise.all([
      api.timed(user, 'GET', path),
      api.timed(user, 'GET', `/chat/messages?conversation=${channel}&limit=50`),
    ]);
    openings.push(Math.max(conversation, messages));
    lists.push(await api.timed(user, 'GET', `${path}/participants?limit=50`));
    searches.push(await api.timed(user, 'GET', `${path}/participants?limit=50&search=${user.lastName}`));
  }
  const figure = (name: string, times: readonly number[]): Figure => ({
    ...{ name, value: percentile(times, 0.95), unit: ' ms', limit: 100, sense: 'at most' },
    detail: `p95 of ${times.length}`,
  });
  return [
    figure('opening a channel of 20,000', openings),
    figure('a page of its participants', lists),
    figure('a search of its participants', searches),
  ];
}

async function measureMembership(api: Api, users: readonly DirectoryUser[], channel: string): Promise<Figure[]> {
  const times: number[] = [];
  for (const user of users.slice(-JOINS)) {
    times.push(await api.timed(user, 'POST', `/chat/conversations/${channel}/leave`));
    times.push(await api.timed(user, 'POST', `/chat/channels/${channel}/join`));
  }
  return [
    {
      ...{ name: 'leaving and joining a channel of 20,000', value: percentile(times, 0.95), unit: ' ms', limit: 100 },
      ...{ sense: 'at most', detail: `p95 of ${times.length}` },
    },
  ];
}
