import type { DirectoryUser } from '@atrium/proto-events/people';
import { type Figure, recordTime, type TimesByName } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { after, buildMeeting, type Call, createCaller, startBackgroundWrites } from './caller.ts';

const ROUNDS = 3;
const WRITERS = 2;
const MAX_SECONDS = 2;
const DAYS = 365;
const HOUR_MS = 3_600_000;

type SeriesParams = { organizer: DirectoryUser; people: readonly DirectoryUser[] };

/**
 * A daily series of a year with 500 users, created and changed for all dates while others write; the slowest of three rounds, the first of
 * which is cold.
 */
export async function measureSeries(
  environment: LoadEnvironment,
  url: string,
  { organizer, people }: SeriesParams,
): Promise<Figure[]> {
  const ids = people.map(({ _id }) => _id);
  const call = await createCaller(environment, url, organizer);
  const guest = await createCaller(environment, url, people[0] as DirectoryUser);
  const last = await createCaller(environment, url, people.at(-1) as DirectoryUser);
  const background = startBackgroundWrites(call, guest, { writers: WRITERS, people: ids.slice(0, 50) });
  const times: TimesByName = {};
  try {
    for (let round = 0; round < ROUNDS; round += 1) await runSeries({ call, last, ids, round }, times);
  } finally {
    environment.print(`  ${(await background.stop()).toFixed(0)} concurrent writes per second`);
  }
  return Object.entries(times).map(([what, taken]) => figure(what, taken));
}

/** Asynchronous effects within seconds, reported without a limit. */
const CREATED_EVERYWHERE = 'the same, until every user sees its last day';
const MOVED_EVERYWHERE = 'the same, until every user is busy at the new time on its last day';
const AFTERWARDS = new Set([CREATED_EVERYWHERE, MOVED_EVERYWHERE]);

type Round = { call: Call; last: Call; ids: string[]; round: number };

async function runSeries({ call, last, ids, round }: Round, times: TimesByName): Promise<void> {
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const response = await work();
    recordTime(times, what, (performance.now() - startedAt) / 1_000);
    return response;
  };
  const start = after(1);
  const title = `Daily ${round}`;
  const isOfSeries = ({ data }: { data: { title: string; startTime: string }[] }, name: string) =>
    data.some((one) => one.title === name);
  const lastDay = `from=${after(DAYS - 1).toISOString()}&to=${after(DAYS + 2).toISOString()}&limit=100`;
  /** The last user's busy hours; they have no other meeting that far ahead. */
  const hoursOnLastDay = async (): Promise<number[]> => {
    const day = { from: after(DAYS - 1).toISOString(), to: after(DAYS + 1).toISOString() };
    const { data } = await last('POST', '/busy', { people: ids.slice(-1), ...day });
    return data[0].busy.map((span: { start: string }) => new Date(span.start).getUTCHours());
  };
  const rule = {
    isRecurring: true,
    recurringFrequency: 'daily',
    recurringEndDate: after(DAYS).toISOString().slice(0, 10),
  };
  const startedAt = performance.now();
  const { _id } = await timed('a daily series of a year with 500 users, created', () =>
    call('POST', '', buildMeeting(start, { title, participants: ids, ...rule })),
  );
  while (!isOfSeries(await last('GET', `?${lastDay}`), title)) await new Promise((resolve) => setTimeout(resolve, 20));
  recordTime(times, CREATED_EVERYWHERE, (performance.now() - startedAt) / 1_000);
  const renamed = `${title}, renamed`;
  await timed('renamed for all dates', () => call('PATCH', `/${_id}?scope=all`, { title: renamed }));
  const moved = { startTime: new Date(start.getTime() + HOUR_MS), endTime: new Date(start.getTime() + 2 * HOUR_MS) };
  const movedAt = performance.now();
  await timed('moved for all dates', () => call('PATCH', `/${_id}?scope=all`, moved));
  while ((await hoursOnLastDay()).some((hour) => hour !== moved.startTime.getUTCHours()))
    await new Promise((resolve) => setTimeout(resolve, 20));
  recordTime(times, MOVED_EVERYWHERE, (performance.now() - movedAt) / 1_000);
  await timed('answered for all dates', () => last('POST', `/${_id}/respond?scope=all`, { status: 'accepted' }));
  await timed('with one user less for all dates', () =>
    call('PATCH', `/${_id}?scope=all`, { participants: ids.slice(1) }),
  );
  if (!isOfSeries(await last('GET', `?${lastDay}`), renamed)) throw new Error('The last day was not renamed');
  await timed('cancelled for all dates', () => call('DELETE', `/${_id}?scope=all`));
}

const figure = (what: string, taken: number[]): Figure => ({
  what,
  value: Math.max(...taken),
  unit: ' s',
  limit: AFTERWARDS.has(what) ? null : MAX_SECONDS,
  sense: 'at most',
  detail: `the slowest of ${taken.map((seconds) => seconds.toFixed(2)).join(', ')} s, the first one cold`,
});
