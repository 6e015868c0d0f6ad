import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { escapeControls } from '@atrium/service-kit/observability/escape-controls';
import { sendSignal } from './alive.ts';
import { readLines } from './read-lines.ts';
import type { Guard } from './reaper-client.ts';
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
  /** Whose end comes first when the launcher is gone: services 0, what they stand on later. */
  order?: number;
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

export interface ProcessListener {
  /** A line that the process wrote, its control characters escaped. */
  line(name: string, line: string): void;
  /** Something that the launcher has to say about the process. */
  say(name: string, text: string): void;
}

interface Surroundings {
  guard: Guard;
  listener: ProcessListener;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 15_000;
const HEALTHY_AFTER_MS = 20_000;
const STOP_WITHIN_MS = 25_000;
const ANSWER_WITHIN_MS = 60_000;
const CLEANUP_MS = 10_000;
const KEPT_LINES = 12;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const howItEnded = (child: ChildProcess): string =>
  child.signalCode ? `was ended by ${child.signalCode}` : `ended with code ${child.exitCode}`;

/** One supervised process: started, watched, started again with a growing delay when it dies, and stopped in bounds. */
export class ManagedProcess {
  readonly #spec: PartSpec;
  readonly #around: Surroundings;
  #child: ChildProcess | undefined;
  #wanted = false;
  #ready = false;
  #everReady = false;
  #deaths = 0;
  #again: NodeJS.Timeout | undefined;
  #gone: Promise<void> = Promise.resolve();
  #lastLines: string[] = [];

  constructor(spec: PartSpec, around: Surroundings) {
    this.#spec = spec;
    this.#around = around;
  }

  get name(): string {
    return this.#spec.name;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  /** Starts the process and waits until it answers. */
  async start(): Promise<void> {
    if (this.#wanted) return this.whenReady();
    this.#wanted = true;
    this.#launch();
    await this.#waitForAnswer();
  }

  /** Asks the process to end, and ends it after a bound. It stays down until `start`. */
  async stop(): Promise<void> {
    this.#stay();
    const child = this.#child;
    if (!child?.pid) return;
    const { pid } = child;
    const gone = this.#gone;
    sendSignal(pid, this.#spec.stopSignal ?? 'SIGTERM');
    const force = setTimeout(() => {
      this.#around.listener.say(this.name, 'did not stop in time and is ended now');
      sendSignal(-pid, 'SIGKILL');
    }, this.#spec.stopWithinMs ?? STOP_WITHIN_MS);
    await gone;
    clearTimeout(force);
  }

  /** Ends it at once. It stays down until `start`. */
  hurry(): void {
    this.#stay();
    if (this.pid) sendSignal(-this.pid, 'SIGKILL');
  }

  /** Sends a signal as an outsider would: what dies of it is started again. */
  kill(signal: NodeJS.Signals): void {
    if (!this.pid) return;
    // Whoever waits for it from now on waits for the next life, not for the one that is ending.
    if (signal === 'SIGKILL' || signal === 'SIGTERM') this.#ready = false;
    sendSignal(this.pid, signal);
  }

  /** Waits until it answers, after a start or a death. */
  whenReady(): Promise<void> {
    const check = async () => {
      if (!this.#ready) throw new Error(`${this.name} is not ready`);
    };
    return waitUntil(check, { withinMs: this.#spec.answersWithinMs ?? ANSWER_WITHIN_MS, everyMs: 20 });
  }

  #stay(): void {
    this.#wanted = false;
    this.#ready = false;
    clearTimeout(this.#again);
  }

  #launch(): void {
    if (this.#around.guard.isClosing()) throw new Error('everything is being stopped');
    const { file, args, env, cwd, uid, gid, cleanup, order = 0, stopSignal = 'SIGTERM' } = this.#spec;
    this.#lastLines = [];
    const child = spawn(file, args, {
      env,
      // A group of its own: the terminal's Ctrl-C must reach the launcher alone, which ends its parts in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    });
    this.#child = child;
    if (child.pid)
      this.#around.guard.add({ pid: child.pid, signal: stopSignal, order, ...(cleanup ? { cleanup } : {}) });
    const since = Date.now();
    for (const output of [child.stdout, child.stderr]) readLines(output, (line) => this.#hear(line));
    child.once('error', (error) => this.#hear(String(error)));
    child.once('exit', () => {
      // Whatever it had started itself goes with it.
      if (child.pid) sendSignal(-child.pid, 'SIGKILL');
    });
    this.#gone = new Promise((resolve) => {
      child.once('close', () => resolve(this.#bury(child, Date.now() - since)));
    });
  }

  #hear(written: string): void {
    const line = escapeControls(written);
    this.#lastLines = [...this.#lastLines, line].slice(-KEPT_LINES);
    if (!this.#spec.chatter?.test(line)) this.#around.listener.line(this.name, line);
  }

  async #bury(child: ChildProcess, livedMs: number): Promise<void> {
    const [file, ...args] = this.#spec.cleanup ?? [];
    // A client that was killed leaves its container, whose name the next one would find taken.
    if (file && child.exitCode !== 0)
      await promisify(execFile)(file, args, { timeout: CLEANUP_MS }).catch(() => undefined);
    if (child.pid) this.#around.guard.remove(child.pid);
    if (this.#child === child) this.#child = undefined;
    this.#ready = false;
    if (!this.#wanted || this.#around.guard.isClosing() || (this.#spec.failsFast && !this.#everReady)) return;
    this.#deaths = livedMs > HEALTHY_AFTER_MS ? 1 : this.#deaths + 1;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (this.#deaths - 1), LONGEST_DELAY_MS);
    this.#around.listener.say(this.name, `${howItEnded(child)}; starting it again in ${seconds(delay)}`);
    this.#again = setTimeout(() => this.#startAgain(), delay);
  }

  #startAgain(): void {
    // Everything began to end while this one waited for its turn.
    if (this.#around.guard.isClosing()) return;
    const since = Date.now();
    this.#launch();
    const child = this.#child;
    if (!this.#everReady) return; // `start` is still waiting for it
    this.#waitForAnswer().then(
      () => this.#around.listener.say(this.name, `is back after ${seconds(Date.now() - since)}`),
      (error: Error) => this.#child === child && this.#around.listener.say(this.name, error.message),
    );
  }

  async #waitForAnswer(): Promise<void> {
    const child = this.#child;
    const hasEnded = () => (this.#everReady || this.#spec.failsFast === true) && this.#child !== child;
    const isLost = () => !this.#wanted || hasEnded();
    const withinMs = this.#spec.answersWithinMs ?? ANSWER_WITHIN_MS;
    await waitUntil(() => this.#spec.answers(), { withinMs, giveUp: isLost }).catch((error: unknown) => {
      const lost = this.#wanted ? 'it ended' : 'it was stopped';
      const reason = isLost() ? lost : error instanceof Error ? error.message : String(error);
      throw new Error([`${this.name} does not answer: ${reason}`, ...this.#lastLines].join('\n    '));
    });
    if (isLost()) return;
    this.#ready = true;
    this.#everReady = true;
  }
}
