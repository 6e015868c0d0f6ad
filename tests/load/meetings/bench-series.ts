import type { DirectoryUser } from '@atrium/proto-events/people';
import { type Figure, recordTime, type TimesByName } from '../figures.ts';
import type { LoadEnvironment } from '../load-environment.ts';
import { after, buildMeeting, type Call, createCaller, startBackgroundWrites } from './caller.ts';

const ROUNDS = 3;
const WRITERS = 2;
const MAX_SECONDS = 2;
const DAYS = 365;
const HOUR_MS = 3_600_000;

type SeriesParams = { organizer: DirectoryUser; guests: readonly DirectoryUser[] };

/**
 * Measures a daily series of a year with 500 users, created and changed in all occurrences while others write: the
 * slowest of three rounds, the first of which is cold.
 */
export async function measureSeries(
  environment: LoadEnvironment,
  url: string,
  { organizer, guests }: SeriesParams,
): Promise<Figure[]> {
  const ids = guests.map(({ _id }) => _id);
  const call = await createCaller(environment, url, organizer);
  const guest = await createCaller(environment, url, guests[0] as DirectoryUser);
  const lastGuest = await createCaller(environment, url, guests.at(-1) as DirectoryUser);
  const background = startBackgroundWrites(call, guest, { writers: WRITERS, users: ids.slice(0, 50) });
  const times: TimesByName = {};
  try {
    for (let round = 0; round < ROUNDS; round += 1) await runSeries({ call, lastGuest, ids, round }, times);
  } finally {
    environment.print(`  ${(await background.stop()).toFixed(0)} concurrent writes per second`);
  }
  return Object.entries(times).map(([name, durations]) => figure(name, durations));
}

/** Asynchronous effects, which take seconds and have no limit. */
const CREATED_EVERYWHERE = 'creation, until every user sees the last day';
const MOVED_EVERYWHERE = 'move, until every user is busy at the new time on the last day';
const ASYNCHRONOUS = new Set([CREATED_EVERYWHERE, MOVED_EVERYWHERE]);

type Round = { call: Call; lastGuest: Call; ids: string[]; round: number };

async function runSeries({ call, lastGuest, ids, round }: Round, times: TimesByName): Promise<void> {
  const measure = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const response = await work();
    recordTime(times, name, (performance.now() - startedAt) / 1_000);
    return response;
  };
  const start = after(1);
  const title = `Daily ${round}`;
  const hasTitle = ({ data }: { data: { title: string; startTime: string }[] }, name: string) =>
    data.some((meeting) => meeting.title === name);
  const lastDay = `from=${after(DAYS - 1).toISOString()}&to=${after(DAYS + 2).toISOString()}&limit=100`;
  /** Returns the busy hours of the last guest, who has no other meeting that far ahead. */
  const hoursOnLastDay = async (): Promise<number[]> => {
    const day = { from: after(DAYS - 1).toISOString(), to: after(DAYS + 1).toISOString() };
    const { data } = await lastGuest('POST', '/busy', { people: ids.slice(-1), ...day });
    return data[0].busy.map((span: { start: string }) => new Date(span.start).getUTCHours());
  };
  const rule = {
    isRecurring: true,
    recurringFrequency: 'daily',
    recurringEndDate: after(DAYS).toISOString().slice(0, 10),
  };
  const startedAt = performance.now();
  const { _id } = await measure('a daily series of a year with 500 users, created', () =>
    call('POST', '', buildMeeting(start, { title, participants: ids, ...rule })),
  );
  while (!hasTitle(await lastGuest('GET', `?${lastDay}`), title))
    await new Promise((resolve) => setTimeout(resolve, 20));
  recordTime(times, CREATED_EVERYWHERE, (performance.now() - startedAt) / 1_000);
  const renamed = `${title}, renamed`;
  await measure('all occurrences renamed', () => call('PATCH', `/${_id}?scope=all`, { title: renamed }));
  const newTimes = { startTime: new Date(start.getTime() + HOUR_MS), endTime: new Date(start.getTime() + 2 * HOUR_MS) };
  const movedAt = performance.now();
  await measure('all occurrences moved', () => call('PATCH', `/${_id}?scope=all`, newTimes));
  while ((await hoursOnLastDay()).some((hour) => hour !== newTimes.startTime.getUTCHours()))
    await new Promise((resolve) => setTimeout(resolve, 20));
  recordTime(times, MOVED_EVERYWHERE, (performance.now() - movedAt) / 1_000);
  await measure('RSVP to all occurrences', () =>
    lastGuest('POST', `/${_id}/respond?scope=all`, { status: 'accepted' }),
  );
  await measure('one participant removed from all occurrences', () =>
    call('PATCH', `/${_id}?scope=all`, { participants: ids.slice(1) }),
  );
  if (!hasTitle(await lastGuest('GET', `?${lastDay}`), renamed)) throw new Error('The last day was not renamed');
  await measure('all occurrences canceled', () => call('DELETE', `/${_id}?scope=all`));
}

const figure = (name: string, durations: number[]): Figure => ({
  name,
  value: Math.max(...durations),
  unit: ' s',
  limit: ASYNCHRONOUS.has(name) ? null : MAX_SECONDS,
  sense: 'at most',
  detail: `the slowest of ${durations.map((seconds) => seconds.toFixed(2)).join(', ')} s, the first one cold`,
});
