import { buildUser } from '@atrium/test-kit/build-user';
import { fillDirectory } from '@atrium/test-kit/fill-directory';
import { type Figure, median, percentile, recordTime, type TimesByName } from '../figures.ts';
import { type LoadEnvironment, PREFIX } from '../load-environment.ts';
import { measureSeries } from './bench-series.ts';
import { after, type Call, createCaller, startBackgroundWrites } from './caller.ts';
import { MEETINGS, seedMeetings } from './seed-meetings.ts';

const USER_COUNT = 2_000;
const PROJECTS = 200;
const CALLS = 80;
const WRITERS = 4;
const MAX_MS = 50;

const USERS = Array.from({ length: USER_COUNT }, (_, index) =>
  buildUser({ role: index === 0 ? 'admin' : index % 20 === 1 ? 'project_manager' : 'member' }),
);
const IDS = USERS.map(({ _id }) => _id);
const PROJECT_IDS = Array.from({ length: PROJECTS }, (_, index) => `bb${index.toString(16).padStart(22, '0')}`);
const userAt = (index: number) => USERS[index % USER_COUNT] as (typeof USERS)[number];

/**
 * Measures lists, ranges, and free/busy among 100,000 meetings, and year-long series with 500 users, while others
 * schedule, move, and respond.
 */
export async function benchMeetings(environment: LoadEnvironment): Promise<Figure[]> {
  await fillDirectory({ url: environment.natsUrl, prefix: PREFIX }, USERS);
  const service = await environment.startService('meetings');
  const startedAt = performance.now();
  await seedMeetings(environment.databaseUrl('meetings'), { users: IDS, projects: PROJECT_IDS });
  environment.print(`  ${MEETINGS} meetings seeded after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  try {
    const lists = await measureLists(environment, service.url);
    const series = await measureSeries(environment, service.url, { organizer: userAt(1), guests: USERS.slice(2, 502) });
    return [...lists, ...series];
  } finally {
    await service.stop();
  }
}

type CallContext = { admin: Call; member: Call; turn: number };

const range = (from: number, days: number) =>
  `from=${after(from).toISOString()}&to=${after(from + days).toISOString()}`;
const smallGroup = (turn: number) => Array.from({ length: 8 }, (_, index) => IDS[(turn * 53 + index * 7) % USER_COUNT]);
const busyRequest = (turn: number, days: number) => ({
  people: smallGroup(turn),
  from: after(turn % 90).toISOString(),
  to: after((turn % 90) + days).toISOString(),
});

const MEASURED_CALLS: [name: string, send: (context: CallContext) => Promise<unknown>][] = [
  ['upcoming meetings of a user', ({ member }) => member('GET', '?timeFilter=upcoming&limit=20')],
  ['past meetings of a user', ({ member }) => member('GET', '?timeFilter=past&limit=20')],
  ['a user’s next five', ({ member }) => member('GET', '/upcoming?limit=5')],
  ['a user’s month', ({ member, turn }) => member('GET', `?${range(-(turn % 90), 31)}&limit=100`)],
  ['a user’s week', ({ member, turn }) => member('GET', `?${range(turn % 90, 7)}&limit=100`)],
  ['a user’s statistics', ({ member }) => member('GET', '/stats')],
  ['a project’s meetings', ({ member, turn }) => member('GET', `/project/${PROJECT_IDS[turn % PROJECTS]}?limit=20`)],
  ['everyone’s upcoming meetings', ({ admin }) => admin('GET', '?timeFilter=upcoming&limit=20')],
  ['everyone’s past meetings', ({ admin }) => admin('GET', '?timeFilter=past&limit=20')],
  ['everyone’s week', ({ admin, turn }) => admin('GET', `?${range(turn % 90, 7)}&limit=100`)],
  ['everyone’s month', ({ admin, turn }) => admin('GET', `?${range(-(turn % 90), 31)}&limit=100`)],
  ['everyone’s statistics', ({ admin }) => admin('GET', '/stats')],
  ['one day of eight users’ busy rows', ({ member, turn }) => member('POST', '/busy', busyRequest(turn, 1))],
  ['two weeks of eight users’ busy rows', ({ member, turn }) => member('POST', '/busy', busyRequest(turn, 14))],
];

async function measureLists(environment: LoadEnvironment, url: string): Promise<Figure[]> {
  const admin = await createCaller(environment, url, userAt(0));
  const organizer = await createCaller(environment, url, userAt(1));
  const members = await Promise.all(
    Array.from({ length: CALLS }, (_, turn) => createCaller(environment, url, userAt(2 + turn * 3))),
  );
  await waitForUsers(admin);
  const background = startBackgroundWrites(organizer, members[0] as Call, {
    writers: WRITERS,
    users: [userAt(2)._id, ...IDS.slice(3)],
  });
  const times: TimesByName = {};
  let perSecond = 0;
  try {
    for (let turn = 0; turn < CALLS; turn += 1) {
      for (const [name, send] of MEASURED_CALLS) {
        const startedAt = performance.now();
        await send({ admin, member: members[turn] as Call, turn });
        recordTime(times, name, performance.now() - startedAt);
      }
    }
  } finally {
    perSecond = await background.stop();
  }
  environment.print(`  ${perSecond.toFixed(0)} concurrent writes per second`);
  return MEASURED_CALLS.map(([name]) => figure(name, times[name] ?? []));
}

const figure = (name: string, times: number[]): Figure => ({
  name,
  value: percentile(times, 0.95),
  unit: ' ms',
  limit: MAX_MS,
  sense: 'at most',
  detail: `${median(times).toFixed(1)} ms at the median of ${times.length}, ${Math.max(...times).toFixed(1)} at most`,
});

/** Waits until the service knows every user. */
async function waitForUsers(call: Call): Promise<void> {
  const people = [...IDS.slice(0, 250), ...IDS.slice(-250)];
  const request = { people, from: after(0).toISOString(), to: after(1).toISOString() };
  while ((await call('POST', '/busy', request)).data.length < people.length)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
