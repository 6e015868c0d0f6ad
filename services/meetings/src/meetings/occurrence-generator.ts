import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { appendMeetingUpdated } from '../events/attach-calendars.ts';
import { readSeriesCalendar } from '../events/calendar-object.ts';
import { NO_PARTICIPANT_CHANGES, seriesEventData } from '../events/meeting-event-data.ts';
import { readMeeting } from '../model/meeting-repository.ts';
import { findSeries, lockSeriesToFill, updateSeriesRow } from '../model/series-repository.ts';
import { addOneYear } from '../recurrence/local-time.ts';
import { listConflictingMeetingIds, lockRooms, releaseRooms } from '../rooms/book-room.ts';
import { fillSeries } from './fill-series.ts';

type Deps = { db: Db; log: Logger };

const WEEK_MS = 7 * 86_400_000;
const POLL_INTERVAL_MS = 3_600_000;
const RETRY_DELAY_MS = 60_000;

/** Fills open-ended and very long series 12 months ahead. Pods share the work: each locks one series at a time. */
export function createOccurrenceGenerator(deps: Deps) {
  const shutdown = new AbortController();
  let loop: PollingLoop | undefined;
  return {
    /** Starts a round after a write. Best effort: the hourly round of any pod also covers the write. */
    wake: () => loop?.wake(),
    start() {
      loop = startPollingLoop({
        name: 'series',
        intervalMs: POLL_INTERVAL_MS,
        retryDelayMs: RETRY_DELAY_MS,
        log: deps.log,
        async round() {
          await fillAll(deps, { signal: shutdown.signal });
          return false;
        },
      });
    },
    async stop() {
      shutdown.abort();
      await loop?.close();
    },
  };
}

type Round = { now?: Date; signal?: AbortSignal };

/**
 * Extends each series that ends within 12 months by one week, and each series without an upcoming meeting. On shutdown,
 * the remaining series are left to the next round.
 */
export async function fillAll({ db, log }: Deps, { now = new Date(), signal }: Round = {}): Promise<void> {
  const horizon = addOneYear(now);
  const until = new Date(horizon.getTime() + WEEK_MS);
  // A series that cannot be filled does not block the others.
  const failedIds: string[] = [];
  const fillNext = async () => {
    let id: string | undefined;
    try {
      return await db.transaction(async (tx) => {
        const series = await lockSeriesToFill(tx, { horizon, now, excludedIds: failedIds });
        id = series?.id;
        if (series?.room_id) await lockRooms(tx, { seriesId: series.id }, series.room_id);
        if (series) await fillSeries(tx, series, { until, now });
        if (series?.room_id) await releaseConflictingRooms(tx, series.id);
        return series !== undefined;
      });
    } catch (err) {
      if (id === undefined) throw err;
      log.error({ err, series: id }, 'Failed to fill series');
      failedIds.push(id);
      return true;
    }
  };
  for (let hasMore = true; hasMore && !signal?.aborted; ) hasMore = await fillNext();
}

/**
 * Removes the room from newly added occurrences where it is taken, since no user is present to choose. Appends an update
 * that names the first of them, because calendars show the room of the series.
 */
async function releaseConflictingRooms(tx: Queryable, seriesId: string): Promise<void> {
  const conflictingIds = await listConflictingMeetingIds(tx, seriesId);
  const [firstId] = conflictingIds;
  if (firstId === undefined) return;
  const series = await findSeries(tx, seriesId);
  const calendarBefore = await readSeriesCalendar(tx, series);
  await releaseRooms(tx, conflictingIds);
  const updatedSeries = await updateSeriesRow(tx, series, { sequence: series.sequence + 1 });
  const eventData = seriesEventData(updatedSeries, await readMeeting(tx, firstId));
  await appendMeetingUpdated(tx, {
    eventData: { ...eventData, ...NO_PARTICIPANT_CHANGES, changed: ['room'] },
    calendars: { calendar: await readSeriesCalendar(tx, updatedSeries), calendarBefore },
    actorId: null,
  });
}
