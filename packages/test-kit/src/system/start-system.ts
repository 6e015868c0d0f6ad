import { openLogFile } from '@atrium/dev-server/system/log-file';
import {
  type BaseLauncherContext,
  createTestContext,
  startSystemIn as launchIn,
  type System,
} from '@atrium/dev-server/system/start-system';
import { waitFor } from '../wait-for.ts';
import { findUnpublishedRows } from './compare-rows.ts';
import { findDeadLetters, findPendingWork } from './find-pending-work.ts';
import { watchLog } from './log-errors.ts';
import { openStores } from './stores.ts';

export type { BaseLauncherContext as Box, System } from '@atrium/dev-server/system/start-system';

/** A box of a test's own, whose log is watched. */
export type WatchedContext = { box: BaseLauncherContext; errors(): string[] };

type ContextOptions = {
  /** Further variables for the processes, such as a rate limit. */
  env?: Record<string, string>;
  /** Puts an earlier start's data into the home. */
  prepareDataDir?: (home: string) => void;
  /** Hears every line that a process writes. */
  onLine?: (process: string, line: string) => void;
};

type Preparation = {
  /** Runs before anything starts. */
  prepare?: (box: BaseLauncherContext) => Promise<void>;
};

type Expectations = {
  /** What a suite makes the processes complain of on purpose; every other line of an error fails it at its end. */
  expectedErrors?: readonly RegExp[];
  /** False where what the stores hold was not all told while this system ran. */
  checkPublished?: boolean;
};

const REST_MS = 60_000;

/** What a whole Atrium of a test's own works with: its own backing servers, free ports, data that goes with it, a log that a failure keeps. */
export function createWatchedContext({
  env = {},
  prepareDataDir,
  onLine = () => undefined,
}: ContextOptions = {}): WatchedContext {
  const kept = openLogFile().listener;
  const { listener, errors } = watchLog({
    ...kept,
    line(name, line) {
      kept.line(name, line);
      onLine(name, line);
    },
  });
  return { box: createTestContext({ env, listener, ...(prepareDataDir && { populate: prepareDataDir }) }), errors };
}

/**
 * Starts a whole Atrium in a box. Its `stop` fails unless everything has come to rest by then: outboxes, mails and consumers have nothing
 * left, there is no dead letter, no process has complained, and what each service keeps is what it told the others.
 */
export async function startSystemIn(
  { box, errors }: WatchedContext,
  { port, expectedErrors = [], checkPublished = true }: Expectations & { port?: number } = {},
): Promise<System> {
  const system = await launchIn({ box, ...(port !== undefined && { port }) });
  return {
    ...system,
    async stop() {
      const pendingWork = await findUnfinishedWork(system, box, checkPublished).catch((error: unknown) => [
        String(error),
      ]);
      await system.stop();
      const complaints = errors().filter((line) => !expectedErrors.some((pattern) => pattern.test(line)));
      const all = [...pendingWork, ...complaints.slice(0, 10).map(shorten)];
      if (all.length > 0) throw new Error(`the system did not end as one that is well:\n${all.join('\n')}`);
    },
  };
}

/** A whole Atrium of a test's own. With its end all that belonged to it is gone; see `startSystemIn` for how it must end. */
export async function startSystem(options: ContextOptions & Expectations & Preparation = {}): Promise<System> {
  const watched = createWatchedContext(options);
  const { guard, ports } = watched.box;
  const endBox = async () => {
    await guard.close();
    ports.release();
  };
  try {
    await options.prepare?.(watched.box);
    const system = await startSystemIn(watched, options);
    const stop = async () => {
      try {
        await system.stop();
      } finally {
        await endBox();
      }
    };
    return { ...system, stop };
  } catch (error) {
    await endBox();
    throw error;
  }
}

/** A line of the log with its message first, which pino puts last. */
function shorten(line: string): string {
  const messageText = /"msg":"([^"]*)"}$/.exec(line)?.[1];
  return `${messageText === undefined ? '' : `${messageText} in `}${line.slice(0, 600)}`;
}

async function findUnfinishedWork(
  system: System,
  box: BaseLauncherContext,
  checkPublished: boolean,
): Promise<string[]> {
  const stores = await openStores(system, box);
  try {
    let pendingWork: string[] = [];
    await waitFor(
      async () => {
        pendingWork = await findPendingWork(stores);
        return pendingWork.length === 0;
      },
      { what: 'rest', timeoutMs: REST_MS, everyMs: 100 },
    ).catch((error: Error) => {
      if (pendingWork.length === 0) throw error.cause ?? error;
    });
    const unpublished = checkPublished && pendingWork.length === 0 ? await findUnpublishedRows(stores) : [];
    return [...pendingWork, ...(await findDeadLetters(stores)), ...unpublished];
  } finally {
    await stores.close();
  }
}
