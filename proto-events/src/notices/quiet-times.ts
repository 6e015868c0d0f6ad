import { toInstant, toWallClock } from '../wall-clock.ts';
import type { NoticeSettings, QuietHours } from './kinds.ts';

type Clock = Pick<NoticeSettings, 'quietHours' | 'pausedUntil' | 'digestTimes'>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Returns when a user may be disturbed: at the time itself, or at the end of a pause or of quiet hours. A pause can end
 * in quiet hours.
 */
export function findUndisturbedTime({ quietHours, pausedUntil }: Clock, timezone: string, at: Date): Date {
  const resumed = Math.max(at.getTime(), pausedUntil === null ? 0 : Date.parse(pausedUntil));
  return new Date(quietHours === null ? resumed : findEndOfQuiet(quietHours, timezone, resumed));
}

/** Returns the first of the daily times after this one, and not during a pause; or the end of quiet hours at that time. */
export function findDigestTime(clock: Clock, timezone: string, at: Date): Date {
  const { digestTimes, pausedUntil } = clock;
  const from = Math.max(at.getTime(), pausedUntil === null ? 0 : Date.parse(pausedUntil));
  const today = startOfDay(toWallClock(timezone, from));
  const times = [today, today + DAY_MS].flatMap((day) =>
    digestTimes.map((time) => toInstant(timezone, day + toMs(time))),
  );
  return findUndisturbedTime(clock, timezone, new Date(times.find((time) => time > from) ?? from));
}

function findEndOfQuiet({ start, end }: QuietHours, timezone: string, at: number): number {
  const wallClock = toWallClock(timezone, at);
  const today = startOfDay(wallClock);
  const [now, startsAt, endsAt] = [wallClock - today, toMs(start), toMs(end)];
  const lastsOvernight = endsAt <= startsAt;
  const isQuiet = lastsOvernight ? now >= startsAt || now < endsAt : now >= startsAt && now < endsAt;
  if (!isQuiet) return at;
  const endDay = lastsOvernight && now >= startsAt ? today + DAY_MS : today;
  // The end may be in the hour that is repeated when daylight saving time ends, and have passed.
  return Math.max(at, toInstant(timezone, endDay + endsAt));
}

function toMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}

const startOfDay = (wallClock: number) => Math.floor(wallClock / DAY_MS) * DAY_MS;
