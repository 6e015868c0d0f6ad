import { fillDirectory } from '@atrium/test-kit/fill-directory';
import { buildUser } from '@atrium/test-kit/people';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { type Figure, median, note, percentile, type TimesByName } from '../figures.ts';
import { PREFIX, type World } from '../load-environment.ts';

const PEOPLE = 500;
const MEETINGS = 100_000;
const CALLS = 60;
const WRITERS = 4;
const MOST_MS = 200;
const MOST_FOR_A_FEW_MS = 50;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/Lisbon',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'America/New_York',
];

/** Everybody with hours of their own, so that nobody's are another's, and in zones whose working days meet for some hours. */
const CROWD = Array.from({ length: PEOPLE }, (_, index) => {
  const start = `0${index % 5}:${String(index % 60).padStart(2, '0')}`;
  const hours = { start, end: `23:${String(index % 59).padStart(2, '0')}` };
  return buildUser({
    role: 'project_manager',
    timezone: ZONES[index % ZONES.length] ?? 'UTC',
    preferences: { workingHours: Array.from({ length: 7 }, () => hours) },
  });
});
const IDS = CROWD.map(({ _id }) => _id);

/**
 * What it takes to show when 500 people are busy and to find the next times when all of them are free, with 100,000 meetings of a year in
 * the database, each of ten of these people, while others schedule.
 */
export async function benchPlanning(world: World): Promise<Figure[]> {
  await fillDirectory({ url: world.natsUrl, prefix: PREFIX }, CROWD);
  const meetings = await world.startService('meetings');
  const began = performance.now();
  const database = world.databaseUrl('meetings');
  await seed(database);
  world.print(`  ${MEETINGS} meetings are there after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const call = await caller(world, meetings.url);
  await until(async () => (await call('busy', ask({ people: IDS }))).length === PEOPLE);
  const times: TimesByName = {};
  let isOver = false;
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let turn = 0; !isOver; turn += 1) await schedule(call, writer, turn);
  });
  try {
    for (let turn = 0; turn < CALLS; turn += 1) {
      for (const [what, path, body] of QUESTIONS) {
        const asked = performance.now();
        await call(path, body(turn));
        note(times, what, performance.now() - asked);
      }
    }
  } finally {
    isOver = true;
    await Promise.all(writing);
    await meetings.stop();
  }
  return QUESTIONS.map(([what, , , limit]) => figure(what, times[what] ?? [], limit));
}

const figure = (what: string, times: number[], limit: number): Figure => ({
  what,
  value: percentile(times, 0.95),
  unit: ' ms',
  limit,
  sense: 'at most',
  detail: `${median(times).toFixed(1)} ms at the median of ${times.length}, ${Math.max(...times).toFixed(1)} at most`,
});

const DAY_MS = 86_400_000;
const after = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const ask = ({ people, turn = 0, days = 1 }: { people: readonly string[]; turn?: number; days?: number }) => ({
  people,
  from: after(turn % 90),
  to: after((turn % 90) + days),
});
const search = (people: readonly string[], turn: number) => ({ people, from: after(turn % 90), durationMinutes: 60 });
const few = (turn: number) => IDS.slice(turn * 7, turn * 7 + 8);

type Question = [what: string, path: string, body: (turn: number) => object, limit: number];
const QUESTIONS: Question[] = [
  ['when 500 people are busy, a day', 'busy', (turn) => ask({ people: IDS, turn }), MOST_MS],
  ['when 500 people are busy, two weeks', 'busy', (turn) => ask({ people: IDS, turn, days: 14 }), MOST_MS],
  ['the next times when 500 people are free', 'free-times', (turn) => search(IDS, turn), MOST_MS],
  ['when 8 people are busy, a day', 'busy', (turn) => ask({ people: few(turn), turn }), MOST_FOR_A_FEW_MS],
  ['the next times when 8 people are free', 'free-times', (turn) => search(few(turn), turn), MOST_FOR_A_FEW_MS],
];

type Call = (path: string, body: object) => Promise<{ length: number }>;

async function caller(world: World, url: string): Promise<Call> {
  const token = await world.tokenFor(CROWD[0] as (typeof CROWD)[number]);
  return async (path, body) => {
    const response = await fetch(`${url}/api/meetings${path === '' ? '' : `/${path}`}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return (JSON.parse(text) as { data?: { length: number } }).data ?? { length: 0 };
  };
}

async function schedule(call: Call, writer: number, turn: number): Promise<void> {
  await call('', {
    title: `Meeting ${turn} of ${writer}`,
    type: 'other',
    startTime: after(1 + (turn % 300)),
    endTime: new Date(Date.parse(after(1 + (turn % 300))) + 3_600_000).toISOString(),
    meetingLink: 'https://meet.example.org/bench',
    participants: IDS.slice(writer * 50, writer * 50 + 10),
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Half-hour starts from eight to six, ten people each, one in ten of whom has declined; then what an autovacuum does in time. */
async function seed(database: string): Promise<void> {
  await queryDatabase(
    database,
    `insert into meetings (id, title, description, type, starts_at, ends_at, timezone, location, meeting_link, agenda, organizer_id)
     select lpad(to_hex(n), 24, '0'), 'Meeting ' || n, '', 'other', at, at + interval '1 hour', 'UTC', '', 'https://meet.example.org/b', '',
            ($1::text[])[1 + n % ${PEOPLE}]
     from (select n, date_trunc('day', now()) + (n % 365) * interval '1 day' + interval '8 hours'
             + (n * 7919 % 20) * interval '30 minutes' as at from generate_series(1, ${MEETINGS}) n) m`,
    [IDS],
  );
  await queryDatabase(
    database,
    `insert into participants (meeting_id, user_id, position, response, starts_at, ends_at)
     select lpad(to_hex(n), 24, '0'), ($1::text[])[1 + (n + j * 53) % ${PEOPLE}], j + 1,
            case when (n + j) % 10 = 9 then 'declined' else 'accepted' end, m.starts_at, m.ends_at
     from generate_series(1, ${MEETINGS}) n cross join generate_series(0, 9) j join meetings m on m.id = lpad(to_hex(n), 24, '0')`,
    [IDS],
  );
  await queryDatabase(database, 'vacuum analyze participants');
  await queryDatabase(database, 'vacuum analyze meetings');
}
