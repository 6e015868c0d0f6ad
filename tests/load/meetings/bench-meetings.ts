import { fillDirectory } from '@atrium/test-kit/fill-directory';
import { buildUser } from '@atrium/test-kit/people';
import { type Figure, median, note, percentile, type TimesByName } from '../figures.ts';
import { PREFIX, type World } from '../load-environment.ts';
import { measureSeries } from './bench-series.ts';
import { after, type Call, callerOf, workBeside } from './caller.ts';
import { MEETINGS, seedMeetings } from './seed-meetings.ts';

const PEOPLE = 2_000;
const PROJECTS = 200;
const CALLS = 80;
const WRITERS = 4;
const MOST_MS = 50;

const CROWD = Array.from({ length: PEOPLE }, (_, index) =>
  buildUser({ role: index === 0 ? 'admin' : index % 20 === 1 ? 'project_manager' : 'member' }),
);
const IDS = CROWD.map(({ _id }) => _id);
const PROJECT_IDS = Array.from({ length: PROJECTS }, (_, index) => `bb${index.toString(16).padStart(22, '0')}`);
const person = (index: number) => CROWD[index % PEOPLE] as (typeof CROWD)[number];

/** Lists, ranges and who is busy among 100,000 meetings, and series of a year with 500 people, while others schedule, move and answer. */
export async function benchMeetings(world: World): Promise<Figure[]> {
  await fillDirectory({ url: world.natsUrl, prefix: PREFIX }, CROWD);
  const service = await world.startService('meetings');
  const began = performance.now();
  await seedMeetings(world.databaseUrl('meetings'), { people: IDS, projects: PROJECT_IDS });
  world.print(`  ${MEETINGS} meetings are there after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  try {
    const lists = await measureLists(world, service.url);
    const series = await measureSeries(world, service.url, { organizer: person(1), people: CROWD.slice(2, 502) });
    return [...lists, ...series];
  } finally {
    await service.stop();
  }
}

type Ask = { admin: Call; member: Call; turn: number };

const range = (from: number, days: number) =>
  `from=${after(from).toISOString()}&to=${after(from + days).toISOString()}`;
const few = (turn: number) => Array.from({ length: 8 }, (_, index) => IDS[(turn * 53 + index * 7) % PEOPLE]);
const busy = (turn: number, days: number) => ({
  people: few(turn),
  from: after(turn % 90).toISOString(),
  to: after((turn % 90) + days).toISOString(),
});

const QUESTIONS: [what: string, ask: (given: Ask) => Promise<unknown>][] = [
  ['upcoming meetings of a person', ({ member }) => member('GET', '?timeFilter=upcoming&limit=20')],
  ['past meetings of a person', ({ member }) => member('GET', '?timeFilter=past&limit=20')],
  ['a person’s next five', ({ member }) => member('GET', '/upcoming?limit=5')],
  ['a person’s month', ({ member, turn }) => member('GET', `?${range(-(turn % 90), 31)}&limit=100`)],
  ['a person’s week', ({ member, turn }) => member('GET', `?${range(turn % 90, 7)}&limit=100`)],
  ['a person’s numbers', ({ member }) => member('GET', '/stats')],
  ['a project’s meetings', ({ member, turn }) => member('GET', `/project/${PROJECT_IDS[turn % PROJECTS]}?limit=20`)],
  ['everybody’s upcoming meetings', ({ admin }) => admin('GET', '?timeFilter=upcoming&limit=20')],
  ['everybody’s past meetings', ({ admin }) => admin('GET', '?timeFilter=past&limit=20')],
  ['everybody’s week', ({ admin, turn }) => admin('GET', `?${range(turn % 90, 7)}&limit=100`)],
  ['everybody’s month', ({ admin, turn }) => admin('GET', `?${range(-(turn % 90), 31)}&limit=100`)],
  ['everybody’s numbers', ({ admin }) => admin('GET', '/stats')],
  ['a day of eight people’s busy rows', ({ member, turn }) => member('POST', '/busy', busy(turn, 1))],
  ['two weeks of eight people’s busy rows', ({ member, turn }) => member('POST', '/busy', busy(turn, 14))],
];

async function measureLists(world: World, url: string): Promise<Figure[]> {
  const admin = await callerOf(world, url, person(0));
  const organizer = await callerOf(world, url, person(1));
  const members = await Promise.all(
    Array.from({ length: CALLS }, (_, turn) => callerOf(world, url, person(2 + turn * 3))),
  );
  await untilKnown(admin);
  const beside = workBeside(organizer, members[0] as Call, {
    writers: WRITERS,
    people: [person(2)._id, ...IDS.slice(3)],
  });
  const times: TimesByName = {};
  let perSecond = 0;
  try {
    for (let turn = 0; turn < CALLS; turn += 1) {
      for (const [what, ask] of QUESTIONS) {
        const asked = performance.now();
        await ask({ admin, member: members[turn] as Call, turn });
        note(times, what, performance.now() - asked);
      }
    }
  } finally {
    perSecond = await beside.stop();
  }
  world.print(`  ${perSecond.toFixed(0)} writes a second beside`);
  return QUESTIONS.map(([what]) => figure(what, times[what] ?? []));
}

const figure = (what: string, times: number[]): Figure => ({
  what,
  value: percentile(times, 0.95),
  unit: ' ms',
  limit: MOST_MS,
  sense: 'at most',
  detail: `${median(times).toFixed(1)} ms at the median of ${times.length}, ${Math.max(...times).toFixed(1)} at most`,
});

/** Until the service knows everybody. */
async function untilKnown(call: Call): Promise<void> {
  const people = [...IDS.slice(0, 250), ...IDS.slice(-250)];
  const question = { people, from: after(0).toISOString(), to: after(1).toISOString() };
  while ((await call('POST', '/busy', question)).data.length < people.length)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
