import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { sendSignal } from './alive.ts';
import type { Guard } from './guard.ts';
import { waitUntil } from './wait-until.ts';

export interface PartSpec {
  name: string;
  file: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** How the process is asked to end; SIGTERM unless told otherwise. */
  stopSignal?: NodeJS.Signals;
  stopWithinMs?: number;
  /** A command that removes what a killed process leaves behind, such as its container. */
  cleanup?: string[];
  /** Lines that say nothing to a reader, such as a greeting at every start. */
  chatter?: RegExp;
  /** Resolves once the process truly answers; called again and again until then. */
  answers: () => Promise<void>;
  answersWithinMs?: number;
  /** Whether a process that ends before it ever answered is a lost cause rather than one to try again. */
  failsFast?: boolean;
}

export interface PartListener {
  /** A line that the process wrote. */
  line(name: string, line: string): void;
  /** Something that the launcher has to say about the process. */
  say(name: string, text: string): void;
}

export interface Part {
  readonly name: string;
  pid(): number | undefined;
  isReady(): boolean;
  /** Starts the process and waits until it answers. */
  start(): Promise<void>;
  /** Asks the process to end, and ends it after a bound. It stays down until `start`. */
  stop(): Promise<void>;
  /** Ends it at once. It stays down until `start`. */
  hurry(): void;
  /** Sends a signal as an outsider would: what dies of it is started again. */
  kill(signal: NodeJS.Signals): void;
  /** Waits until it answers again. */
  whenReady(): Promise<void>;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 15_000;
const HEALTHY_AFTER_MS = 20_000;
const KEPT_LINES = 12;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const howItEnded = (child: ChildProcess): string =>
  child.signalCode ? `was ended by ${child.signalCode}` : `ended with code ${child.exitCode}`;

/** One supervised process: started, watched, started again with a growing delay when it dies, and stopped in bounds. */
export const createPart = (spec: PartSpec, { guard, listener }: { guard: Guard; listener: PartListener }): Part => {
  let child: ChildProcess | undefined;
  let wanted = false;
  let ready = false;
  let everReady = false;
  let deaths = 0;
  let again: NodeJS.Timeout | undefined;
  let lastLines: string[] = [];
  const stopSignal = spec.stopSignal ?? 'SIGTERM';

  const hear = (line: string): void => {
    lastLines = [...lastLines, line].slice(-KEPT_LINES);
    if (!spec.chatter?.test(line)) listener.line(spec.name, line);
  };

  const watch = (started: ChildProcess, since: number): void => {
    for (const stream of [started.stdout, started.stderr])
      if (stream) createInterface({ input: stream }).on('line', hear);
    started.once('error', (error) => hear(String(error)));
    started.once('close', () => {
      if (started.pid) {
        // Whatever it had started itself goes with it.
        sendSignal(-started.pid, 'SIGKILL');
        guard.remove(started.pid);
      }
      if (child === started) child = undefined;
      ready = false;
      if (wanted && (everReady || !spec.failsFast)) startAgain(started, Date.now() - since);
    });
  };

  const launch = (): void => {
    lastLines = [];
    const { uid, gid, cwd } = spec;
    child = spawn(spec.file, spec.args, {
      env: spec.env,
      // A group of its own: the terminal's Ctrl-C must reach the launcher alone, which ends its parts in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    });
    if (child.pid)
      guard.add({ pid: child.pid, signal: stopSignal, ...(spec.cleanup ? { cleanup: spec.cleanup } : {}) });
    watch(child, Date.now());
  };

  const waitForAnswer = async (): Promise<void> => {
    const mine = child;
    await waitUntil(() => spec.answers(), {
      withinMs: spec.answersWithinMs ?? 60_000,
      giveUp: () => (everReady || spec.failsFast === true) && child !== mine,
    }).catch((error: unknown) => {
      const reason = child === mine ? String(error instanceof Error ? error.message : error) : 'it ended at once';
      throw new Error([`${spec.name} does not answer: ${reason}`, ...lastLines].join('\n    '));
    });
    ready = true;
    everReady = true;
  };

  const startAgain = (dead: ChildProcess, livedMs: number): void => {
    deaths = livedMs > HEALTHY_AFTER_MS ? 1 : deaths + 1;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (deaths - 1), LONGEST_DELAY_MS);
    listener.say(spec.name, `${howItEnded(dead)}; starting it again in ${seconds(delay)}`);
    again = setTimeout(() => {
      const since = Date.now();
      launch();
      const mine = child;
      if (!everReady) return; // `start` is still waiting for it
      waitForAnswer().then(
        () => listener.say(spec.name, `is back after ${seconds(Date.now() - since)}`),
        (error: Error) => child === mine && listener.say(spec.name, error.message),
      );
    }, delay);
  };

  const gone = (mine: ChildProcess): Promise<void> =>
    new Promise((resolve) => {
      if (mine.exitCode !== null || mine.signalCode !== null) resolve();
      else mine.once('close', () => resolve());
    });

  return {
    name: spec.name,
    pid: () => child?.pid,
    isReady: () => ready,
    async start() {
      if (wanted) return;
      wanted = true;
      launch();
      await waitForAnswer();
    },
    async stop() {
      wanted = false;
      clearTimeout(again);
      const mine = child;
      if (!mine?.pid) return;
      const { pid } = mine;
      sendSignal(pid, stopSignal);
      const force = setTimeout(() => {
        listener.say(spec.name, 'did not stop in time and is ended now');
        sendSignal(-pid, 'SIGKILL');
      }, spec.stopWithinMs ?? 25_000);
      await gone(mine);
      clearTimeout(force);
    },
    hurry() {
      wanted = false;
      clearTimeout(again);
      if (child?.pid) sendSignal(-child.pid, 'SIGKILL');
    },
    kill(signal) {
      if (child?.pid) sendSignal(child.pid, signal);
    },
    whenReady: () =>
      waitUntil(
        async () => {
          if (!ready) throw new Error(`${spec.name} is not ready`);
        },
        { withinMs: spec.answersWithinMs ?? 60_000 },
      ),
  };
};
