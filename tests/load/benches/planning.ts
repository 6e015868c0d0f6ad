import { buildUser } from '@atrium/test-kit/build-user';
import { fillDirectory } from '@atrium/test-kit/fill-directory';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { type Figure, median, percentile, recordTime, type TimesByName } from '../figures.ts';
import { type LoadEnvironment, PREFIX } from '../load-environment.ts';

const USER_COUNT = 500;
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
const USERS = Array.from({ length: USER_COUNT }, (_, index) => {
  const start = `0${index % 5}:${String(index % 60).padStart(2, '0')}`;
  const hours = { start, end: `23:${String(index % 59).padStart(2, '0')}` };
  return buildUser({
    role: 'project_manager',
    timezone: ZONES[index % ZONES.length] ?? 'UTC',
    preferences: { workingHours: Array.from({ length: 7 }, () => hours) },
  });
});
const IDS = USERS.map(({ _id }) => _id);

/**
 * Measures the response times of the free/busy view of 500 users and of the search for common free times, with 100,000
 * meetings of a year, each with ten of these users, while others schedule meetings.
 */
export async function benchPlanning(environment: LoadEnvironment): Promise<Figure[]> {
  await fillDirectory({ url: environment.natsUrl, prefix: PREFIX }, USERS);
  const meetings = await environment.startService('meetings');
  const startedAt = performance.now();
  const database = environment.databaseUrl('meetings');
  await seed(database);
  environment.print(`  ${MEETINGS} meetings seeded after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const call = await createCall(environment, meetings.url);
  await waitUntil(async () => (await call('busy', busyRequest({ people: IDS }))).length === USER_COUNT);
  const times: TimesByName = {};
  let isStopped = false;
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let round = 0; !isStopped; round += 1) await scheduleMeeting(call, writer, round);
  });
  try {
    for (let round = 0; round < CALLS; round += 1) {
      for (const [name, path, body] of MEASURED_CALLS) {
        const startedAt = performance.now();
        await call(path, body(round));
        recordTime(times, name, performance.now() - startedAt);
      }
    }
  } finally {
    isStopped = true;
    await Promise.all(writing);
    await meetings.stop();
  }
  return MEASURED_CALLS.map(([name, , , limitMs]) => figure(name, times[name] ?? [], limitMs));
}

const figure = (name: string, times: number[], limitMs: number): Figure => ({
  name,
  value: percentile(times, 0.95),
  unit: ' ms',
  limit: limitMs,
  sense: 'at most',
  detail: `${median(times).toFixed(1)} ms at the median of ${times.length}, ${Math.max(...times).toFixed(1)} at most`,
});

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const busyRequest = ({
  people,
  round = 0,
  days = 1,
}: {
  people: readonly string[];
  round?: number;
  days?: number;
}) => ({
  people,
  from: inDays(round % 90),
  to: inDays((round % 90) + days),
});
const freeTimesRequest = (people: readonly string[], round: number) => ({
  people,
  from: inDays(round % 90),
  durationMinutes: 60,
});
const smallGroup = (round: number) => IDS.slice(round * 7, round * 7 + 8);

type MeasuredCall = [name: string, path: string, body: (round: number) => object, limitMs: number];
const MEASURED_CALLS: MeasuredCall[] = [
  ['free/busy of 500 users, one day', 'busy', (round) => busyRequest({ people: IDS, round }), MAX_MS],
  ['free/busy of 500 users, two weeks', 'busy', (round) => busyRequest({ people: IDS, round, days: 14 }), MAX_MS],
  ['next common free times of 500 users', 'free-times', (round) => freeTimesRequest(IDS, round), MAX_MS],
  [
    'free/busy of 8 users, one day',
    'busy',
    (round) => busyRequest({ people: smallGroup(round), round }),
    MAX_SMALL_GROUP_MS,
  ],
  [
    'next common free times of 8 users',
    'free-times',
    (round) => freeTimesRequest(smallGroup(round), round),
    MAX_SMALL_GROUP_MS,
  ],
];

type Call = (path: string, body: object) => Promise<{ length: number }>;

async function createCall(environment: LoadEnvironment, url: string): Promise<Call> {
  const token = await environment.tokenFor(USERS[0] as (typeof USERS)[number]);
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

async function scheduleMeeting(call: Call, writer: number, round: number): Promise<void> {
  await call('', {
    title: `Meeting ${round} of ${writer}`,
    type: 'other',
    startTime: inDays(1 + (round % 300)),
    endTime: new Date(Date.parse(inDays(1 + (round % 300))) + 3_600_000).toISOString(),
    meetingLink: 'https://meet.example.org/bench',
    participants: IDS.slice(writer * 50, writer * 50 + 10),
  });
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/**
 * Inserts meetings that start on half hours from eight to six, with ten participants each, of which a tenth declined.
 * Then does the work of an autovacuum.
 */
async function seed(database: string): Promise<void> {
  await queryDatabase(
    database,
    `insert into meetings (id, title, description, type, starts_at, ends_at, timezone, location, meeting_link, agenda, organizer_id)
     select lpad(to_hex(n), 24, '0'), 'Meeting ' || n, '', 'other', at, at + interval '1 hour', 'UTC', '', 'https://meet.example.org/b', '',
            ($1::text[])[1 + n % ${USER_COUNT}]
     from (select n, date_trunc('day', now()) + (n % 365) * interval '1 day' + interval '8 hours'
             + (n * 7919 % 20) * interval '30 minutes' as at from generate_series(1, ${MEETINGS}) n) m`,
    [IDS],
  );
  await queryDatabase(
    database,
    `insert into participants (meeting_id, user_id, position, response, starts_at, ends_at)
     select lpad(to_hex(n), 24, '0'), ($1::text[])[1 + (n + j * 53) % ${USER_COUNT}], j + 1,
            case when (n + j) % 10 = 9 then 'declined' else 'accepted' end, m.starts_at, m.ends_at
     from generate_series(1, ${MEETINGS}) n cross join generate_series(0, 9) j join meetings m on m.id = lpad(to_hex(n), 24, '0')`,
    [IDS],
  );
  await queryDatabase(database, 'vacuum analyze participants');
  await queryDatabase(database, 'vacuum analyze meetings');
}
