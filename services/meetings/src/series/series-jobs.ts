import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import { type Runner, run, Logger as WorkerLogger } from 'graphile-worker';
import { holdRooms } from '../rooms/book-room.ts';
import { yearAfter } from './add-one-year.ts';
import { fillSeries } from './fill-series.ts';
import { leaveTakenRooms } from './release-conflicting-rooms.ts';
import { lockSeriesToFill } from './series-repository.ts';

export type SeriesJobs = {
  start(): void;
  /** Fills soon what a write left to be filled. Best effort: the hourly job finds it too. */
  wake(): void;
  stop(): Promise<void>;
};

type Deps = { db: Db; log: Logger };

const TASK = 'fill-series';
const WEEK_MS = 7 * 86_400_000;
const RESTART_MS = 1_000;

/** Keeps series without an end, and very long ones, filled 12 months ahead; one pod at a time does it for each series. */
export function createSeriesJobs(deps: Deps): SeriesJobs {
  const stopping = new AbortController();
  let runner: Runner | undefined;
  const wake = () => {
    runner
      ?.addJob(TASK, {}, { jobKey: TASK })
      .catch((err) => deps.log.warn({ err }, 'the hourly job will fill the series'));
  };
  // A runner ends itself when the database goes away for longer; another one takes its place.
  const keepRunning = async () => {
    while (!stopping.signal.aborted) {
      runner = await retryUntilDone('jobs', () => startRunner(deps, stopping.signal), deps.log, stopping.signal);
      // Whoever stopped us while it started had nothing to stop yet.
      if (stopping.signal.aborted) return runner.stop();
      wake();
      await runner.promise.catch((err) => deps.log.warn({ err }, 'the jobs begin anew'));
      await delay(RESTART_MS, undefined, { signal: stopping.signal });
    }
  };
  let running: Promise<void> | undefined;
  return {
    wake,
    start() {
      running = keepRunning().catch((err) => {
        if (!stopping.signal.aborted) deps.log.error({ err }, 'the jobs ended');
      });
    },
    async stop() {
      stopping.abort();
      // One that ended by itself refuses to be stopped again.
      await runner?.stop().catch(() => undefined);
      await running;
    },
  };
}

function startRunner(deps: Deps, signal: AbortSignal): Promise<Runner> {
  return run({
    pgPool: deps.db.pool,
    concurrency: 1,
    noHandleSignals: true,
    // New jobs are told by NOTIFY; polling only finds those that were waiting for their time.
    pollInterval: 30_000,
    taskList: { [TASK]: async () => void (await fillAll(deps, { signal })) },
    crontab: `17 * * * * ${TASK} ?jobKey=${TASK}&max=3`,
    logger: new WorkerLogger(() => (level, message) => {
      if (level === 'error' || level === 'warning') deps.log.warn({ part: 'jobs' }, message);
    }),
  });
}

/** Makes the tables of the jobs. A runner would do it itself, but a pod need not have the right to. */
export async function migrateJobs(connectionString: string): Promise<void> {
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ connectionString });
}

type Round = { now?: Date; signal?: AbortSignal };

/**
 * Fills every series that reaches less than 12 months ahead, a week further, so that each is filled once a week, and those without a
 * coming meeting. A process that stops leaves the rest to the next one.
 */
export async function fillAll({ db, log }: Deps, { now = new Date(), signal }: Round = {}): Promise<void> {
  const horizon = yearAfter(now);
  const until = new Date(horizon.getTime() + WEEK_MS);
  // One that cannot be filled keeps no other from it.
  const failed: string[] = [];
  const fillNext = async () => {
    let id: string | undefined;
    try {
      return await db.transaction(async (tx) => {
        const series = await lockSeriesToFill(tx, { horizon, now, without: failed });
        id = series?.id;
        if (series?.room_id) await holdRooms(tx, { seriesId: series.id }, series.room_id);
        if (series) await fillSeries(tx, series, { until, now });
        if (series?.room_id) await leaveTakenRooms(tx, series.id);
        return series !== undefined;
      });
    } catch (err) {
      if (id === undefined) throw err;
      log.error({ err, series: id }, 'a series could not be filled');
      failed.push(id);
      return true;
    }
  };
  for (let more = true; more && !signal?.aborted; ) more = await fillNext();
}
