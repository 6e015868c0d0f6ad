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

export type WatchedContext = { box: BaseLauncherContext; errors(): string[] };

type ContextOptions = {
  env?: Record<string, string>;
  prepareDataDir?: (home: string) => void;
  onLine?: (process: string, line: string) => void;
};

type Preparation = {
  prepare?: (box: BaseLauncherContext) => Promise<void>;
};

type Expectations = {
  /** Errors that a suite provokes on purpose; every other error in the log fails it at its end. */
  expectedErrors?: readonly RegExp[];
  /** False if the stores contain data that was not published while this system ran. */
  checkPublished?: boolean;
};

const REST_MS = 60_000;

/** Private backing servers, free ports, temporary data, and a log that is kept on failure. */
export function createWatchedContext({
  env = {},
  prepareDataDir,
  onLine = () => undefined,
}: ContextOptions = {}): WatchedContext {
  const logFile = openLogFile().listener;
  const { listener, errors } = watchLog({
    ...logFile,
    line(name, line) {
      logFile.line(name, line);
      onLine(name, line);
    },
  });
  return {
    box: createTestContext({ env, listener, ...(prepareDataDir && { prepareDataDir }) }),
    errors,
  };
}

/**
 * Its `stop` fails unless the system is idle and consistent: outboxes, emails, and consumers have nothing
 * pending, there are no dead letters and no unexpected errors, and each service's rows match its published
 * events.
 */
export async function startSystemIn(
  { box, errors }: WatchedContext,
  { port, expectedErrors = [], checkPublished = true }: Expectations & { port?: number } = {},
): Promise<System> {
  const system = await launchIn({ context: box, ...(port !== undefined && { port }) });
  return {
    ...system,
    async stop() {
      const pendingWork = await findUnfinishedWork(system, box, checkPublished).catch((error: unknown) => [
        String(error),
      ]);
      await system.stop();
      const complaints = errors().filter((line) => !expectedErrors.some((pattern) => pattern.test(line)));
      const all = [...pendingWork, ...complaints.slice(0, 10).map(shorten)];
      if (all.length > 0) throw new Error(`The system did not stop cleanly:\n${all.join('\n')}`);
    },
  };
}

/** See `startSystemIn` for the checks. */
export async function startSystem(options: ContextOptions & Expectations & Preparation = {}): Promise<System> {
  const watched = createWatchedContext(options);
  const { reaper: guard, ports } = watched.box;
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

/** Puts the message first, which pino writes last. */
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
      { description: 'rest', timeoutMs: REST_MS, intervalMs: 100 },
    ).catch((error: Error) => {
      if (pendingWork.length === 0) throw error.cause ?? error;
    });
    const unpublished = checkPublished && pendingWork.length === 0 ? await findUnpublishedRows(stores) : [];
    return [...pendingWork, ...(await findDeadLetters(stores)), ...unpublished];
  } finally {
    await stores.close();
  }
}
