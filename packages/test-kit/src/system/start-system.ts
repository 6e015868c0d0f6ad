import { openKeptLog } from '@atrium/dev-server/system/log-file';
import {
  type BaseLauncherContext,
  startSystemIn as launchIn,
  privateBox,
  type System,
} from '@atrium/dev-server/system/start-system';
import { waitFor } from '../wait-for.ts';
import { findUnpublishedRows } from './compare-rows.ts';
import { findDeadLetters, findPendingWork } from './find-pending-work.ts';
import { watchLog } from './log-faults.ts';
import { openStores } from './stores.ts';

export type { BaseLauncherContext as Box, System } from '@atrium/dev-server/system/start-system';

/** A box of a test's own, whose log is watched. */
export type WatchedBox = { box: BaseLauncherContext; faults(): string[] };

type BoxOptions = {
  /** Further variables for the processes, such as a rate limit. */
  env?: Record<string, string>;
  /** Puts an earlier start's data into the home. */
  furnish?: (home: string) => void;
  /** Hears every line that a process writes. */
  onLine?: (process: string, line: string) => void;
};

type Preparation = {
  /** Runs before anything starts. */
  prepare?: (box: BaseLauncherContext) => Promise<void>;
};

type Expectations = {
  /** What a suite makes the processes complain of on purpose; every other line of an error fails it at its end. */
  provokes?: readonly RegExp[];
  /** False where what the stores hold was not all told while this system ran. */
  isTold?: boolean;
};

const REST_MS = 60_000;

/** What a whole Atrium of a test's own works with: its own backing servers, free ports, data that goes with it, a log that a failure keeps. */
export function openBox({ env = {}, furnish, onLine = () => undefined }: BoxOptions = {}): WatchedBox {
  const kept = openKeptLog().listener;
  const { listener, faults } = watchLog({
    ...kept,
    line(name, line) {
      kept.line(name, line);
      onLine(name, line);
    },
  });
  return { box: privateBox({ env, listener, ...(furnish && { furnish }) }), faults };
}

/**
 * Starts a whole Atrium in a box. Its `stop` fails unless everything has come to rest by then: outboxes, mails and consumers have nothing
 * left, there is no dead letter, no process has complained, and what each service keeps is what it told the others.
 */
export async function startSystemIn(
  { box, faults }: WatchedBox,
  { port, provokes = [], isTold = true }: Expectations & { port?: number } = {},
): Promise<System> {
  const system = await launchIn({ box, ...(port !== undefined && { port }) });
  return {
    ...system,
    async stop() {
      const unrest = await findFaultsAtRest(system, box, isTold).catch((error: unknown) => [String(error)]);
      await system.stop();
      const complaints = faults().filter((line) => !provokes.some((pattern) => pattern.test(line)));
      const all = [...unrest, ...complaints.slice(0, 10).map(shorten)];
      if (all.length > 0) throw new Error(`the system did not end as one that is well:\n${all.join('\n')}`);
    },
  };
}

/** A whole Atrium of a test's own. With its end all that belonged to it is gone; see `startSystemIn` for how it must end. */
export async function startSystem(options: BoxOptions & Expectations & Preparation = {}): Promise<System> {
  const watched = openBox(options);
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
  const said = /"msg":"([^"]*)"}$/.exec(line)?.[1];
  return `${said === undefined ? '' : `${said} in `}${line.slice(0, 600)}`;
}

async function findFaultsAtRest(system: System, box: BaseLauncherContext, isTold: boolean): Promise<string[]> {
  const stores = await openStores(system, box);
  try {
    let unrest: string[] = [];
    await waitFor(
      async () => {
        unrest = await findPendingWork(stores);
        return unrest.length === 0;
      },
      { what: 'rest', timeoutMs: REST_MS, everyMs: 100 },
    ).catch((error: Error) => {
      if (unrest.length === 0) throw error.cause ?? error;
    });
    const untold = isTold && unrest.length === 0 ? await findUnpublishedRows(stores) : [];
    return [...unrest, ...(await findDeadLetters(stores)), ...untold];
  } finally {
    await stores.close();
  }
}
