import { openLogFile } from '@atrium/dev-server/system/log-file';
import {
  type BaseLauncherContext,
  createTestContext,
  launchSystem,
  type System,
} from '@atrium/dev-server/system/start-system';
import { findUnpublishedRows } from './compare-rows.ts';
import { findDeadLetters, findPendingWork } from './find-pending-work.ts';
import { watchLog } from './log-errors.ts';
import { openStores } from './stores.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

export type { BaseLauncherContext, System } from '@atrium/dev-server/system/start-system';

export type WatchedContext = { context: BaseLauncherContext; errors(): string[] };

type ContextOptions = {
  env?: Record<string, string>;
  prepareDataDir?: (home: string) => void;
  onLine?: (process: string, line: string) => void;
};

type Preparation = {
  prepare?: (context: BaseLauncherContext) => Promise<void>;
};

type Expectations = {
  /** Errors that a suite provokes on purpose; every other error in the log fails it at its end. */
  expectedErrors?: readonly RegExp[];
  /** False if the stores contain data that was not published while this system ran. */
  checkPublished?: boolean;
};

/** Creates a context with its own backing servers, free ports, temporary data, and a log that is kept on failure. */
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
    context: createTestContext({ env, listener, ...(prepareDataDir && { prepareDataDir }) }),
    errors,
  };
}

/**
 * Starts a system whose `stop` fails unless the system is idle and consistent: outboxes, emails, and consumers have
 * nothing pending, there are no dead letters and no unexpected errors, and each service's rows match its published
 * events.
 */
export async function startSystemIn(
  { context, errors }: WatchedContext,
  { port, expectedErrors = [], checkPublished = true }: Expectations & { port?: number } = {},
): Promise<System> {
  const system = await launchSystem({ context, ...(port !== undefined && { port }) });
  return {
    ...system,
    async stop() {
      const storeProblems = await findProblems(system, context, checkPublished).catch((error: unknown) => [
        String(error),
      ]);
      await system.stop();
      const unexpectedErrors = errors().filter((line) => !expectedErrors.some((pattern) => pattern.test(line)));
      const problems = [...storeProblems, ...unexpectedErrors.slice(0, 10).map(shorten)];
      if (problems.length > 0) throw new Error(`The system did not stop cleanly:\n${problems.join('\n')}`);
    },
  };
}

/** Starts a system in a context of its own. Its `stop` makes the checks of `startSystemIn`. */
export async function startSystem(options: ContextOptions & Expectations & Preparation = {}): Promise<System> {
  const watched = createWatchedContext(options);
  const { reaper, ports } = watched.context;
  const disposeContext = async () => {
    await reaper.close();
    ports.release();
  };
  try {
    await options.prepare?.(watched.context);
    const system = await startSystemIn(watched, options);
    const stop = async () => {
      try {
        await system.stop();
      } finally {
        await disposeContext();
      }
    };
    return { ...system, stop };
  } catch (error) {
    await disposeContext();
    throw error;
  }
}

/** Puts the message, which pino writes last, at the beginning. */
function shorten(line: string): string {
  const messageText = /"msg":"([^"]*)"}$/.exec(line)?.[1];
  return `${messageText === undefined ? '' : `${messageText} in `}${line.slice(0, 600)}`;
}

async function findProblems(system: System, context: BaseLauncherContext, checkPublished: boolean): Promise<string[]> {
  const stores = await openStores(system, context);
  try {
    // Not looked for again after a success: an email that was postponed may become due at any time.
    const pendingWork = await waitUntilIdle(stores).then(
      () => [],
      () => findPendingWork(stores),
    );
    const unpublished = checkPublished && pendingWork.length === 0 ? await findUnpublishedRows(stores) : [];
    return [...pendingWork, ...(await findDeadLetters(stores)), ...unpublished];
  } finally {
    await stores.close();
  }
}
