import { fillDirectory } from '@atrium/test-kit/fill-directory';
import { buildUser } from '@atrium/test-kit/build-user';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { type Figure, median, percentile, recordTime, type TimesByName } from '../figures.ts';
import { type LoadEnvironment, PREFIX } from '../load-environment.ts';

const PEOPLE = 500;
const MEETINGS = 100_000;
const CALLS = 60;
const WRITERS = 4;
const MAX_MS = 200;
const MAX_SMALL_GROUP_MS = 50;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/Lisbon',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'America/New_York',
];

/** Different working hours for every user, in zones whose working days overlap for some hours. */
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
 * Response times of the free/busy view of 500 users and of the search for common free times, with 100,000 meetings of a year, each with ten
 * of these users, while others schedule meetings.
 */
export async function benchPlanning(environment: LoadEnvironment): Promise<Figure[]> {
  await fillDirectory({ url: environment.natsUrl, prefix: PREFIX }, CROWD);
  const meetings = await environment.startService('meetings');
  const startedAt = performance.now();
  const database = environment.databaseUrl('meetings');
  await seed(database);
  environment.print(`  ${MEETINGS} meetings seeded after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const call = await caller(environment, meetings.url);
  await until(async () => (await call('busy', ask({ people: IDS }))).length === PEOPLE);
  const times: TimesByName = {};
  let isStopped = false;
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let round = 0; !isStopped; round += 1) await schedule(call, writer, round);
  });
  try {
    for (let round = 0; round < CALLS; round += 1) {
      for (const [what, path, body] of MEASURED_CALLS) {
        const asked = performance.now();
        await call(path, body(round));
        recordTime(times, what, performance.now() - asked);
      }
    }
  } finally {
    isStopped = true;
    await Promise.all(writing);
    await meetings.stop();
  }
  return MEASURED_CALLS.map(([what, , , limitMs]) => figure(what, times[what] ?? [], limitMs));
}

const figure = (what: string, times: number[], limitMs: number): Figure => ({
  what,
  value: percentile(times, 0.95),
  unit: ' ms',
  limit: limitMs,
  sense: 'at most',
  detail: `${median(times).toFixed(1)} ms at the median of ${times.length}, ${Math.max(...times).toFixed(1)} at most`,
});

const DAY_MS = 86_400_000;
const after = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const ask = ({ people, round = 0, days = 1 }: { people: readonly string[]; round?: number; days?: number }) => ({
  people,
  from: after(round % 90),
  to: after((round % 90) + days),
});
const search = (people: readonly string[], round: number) => ({ people, from: after(round % 90), durationMinutes: 60 });
const few = (round: number) => IDS.slice(round * 7, round * 7 + 8);

type MeasuredCall = [what: string, path: string, body: (round: number) => object, limitMs: number];
const MEASURED_CALLS: MeasuredCall[] = [
  ['free/busy of 500 users, one day', 'busy', (round) => ask({ people: IDS, round }), MAX_MS],
  ['free/busy of 500 users, two weeks', 'busy', (round) => ask({ people: IDS, round, days: 14 }), MAX_MS],
  ['next common free times of 500 users', 'free-times', (round) => search(IDS, round), MAX_MS],
  ['free/busy of 8 users, one day', 'busy', (round) => ask({ people: few(round), round }), MAX_SMALL_GROUP_MS],
  ['next common free times of 8 users', 'free-times', (round) => search(few(round), round), MAX_SMALL_GROUP_MS],
];

type Call = (path: string, body: object) => Promise<{ length: number }>;

async function caller(environment: LoadEnvironment, url: string): Promise<Call> {
  const token = await environment.tokenFor(CROWD[0] as (typeof CROWD)[number]);
  return async (path, body) => {
    const response = await fetch(`${url}/api/meetings${path === '' ? '' : `/${path}`}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 300)}`);
    return (JSON.parse(text) as { data?: { length: number } }).data ?? { length: 0 };
  };
}

async function schedule(call: Call, writer: number, round: number): Promise<void> {
  await call('', {
    title: `Meeting ${round} of ${writer}`,
    type: 'other',
    startTime: after(1 + (round % 300)),
    endTime: new Date(Date.parse(after(1 + (round % 300))) + 3_600_000).toISOString(),
    meetingLink: 'https://meet.example.org/bench',
    participants: IDS.slice(writer * 50, writer * 50 + 10),
  });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Half-hour starts from eight to six, ten participants each, a tenth of which declined; then an autovacuum's work. */
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
