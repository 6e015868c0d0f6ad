import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { escapeControls } from '@atrium/service-kit/observability/logger';
import { sendSignal } from './alive.ts';
import { readLines } from './read-lines.ts';
import type { ReaperClient } from './reaper-client.ts';
import { waitUntil } from './wait-until.ts';

export interface ProcessSpec {
  name: string;
  file: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  stopSignal?: NodeJS.Signals;
  stopWithinMs?: number;
  /** Order in which processes end when the launcher is gone: services 0, their dependencies later. */
  order?: number;
  /** A command that removes what a killed process leaves behind, such as its container. */
  cleanup?: string[];
  chatter?: RegExp;
  answers: () => Promise<void>;
  answersWithinMs?: number;
  failsFast?: boolean;
}

export interface ProcessListener {
  line(name: string, line: string): void;
  say(name: string, text: string): void;
}

interface ProcessManager {
  reaper: ReaperClient;
  listener: ProcessListener;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 15_000;
const HEALTHY_AFTER_MS = 20_000;
const STOP_WITHIN_MS = 25_000;
const ANSWER_WITHIN_MS = 60_000;
const CLEANUP_MS = 10_000;
const MAX_LINES = 12;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const howItEnded = (child: ChildProcess): string =>
  child.signalCode ? `was ended by ${child.signalCode}` : `ended with code ${child.exitCode}`;

/** Restarted with increasing delays, and stopped within a time limit. */
export class ManagedProcess {
  readonly #spec: ProcessSpec;
  readonly #around: ProcessManager;
  #child: ChildProcess | undefined;
  #wanted = false;
  #ready = false;
  #everReady = false;
  #deaths = 0;
  #again: NodeJS.Timeout | undefined;
  #gone: Promise<void> = Promise.resolve();
  #lastLines: string[] = [];

  constructor(spec: ProcessSpec, around: ProcessManager) {
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

  async start(): Promise<void> {
    if (this.#wanted) return this.whenReady();
    this.#wanted = true;
    this.#launch();
    await this.#waitForAnswer();
  }

  /** Kills the process after a time limit. It stays stopped until `start`. */
  async stop(): Promise<void> {
    this.#stay();
    const child = this.#child;
    if (!child?.pid) return;
    const { pid } = child;
    const gone = this.#gone;
    sendSignal(pid, this.#spec.stopSignal ?? 'SIGTERM');
    const force = setTimeout(() => {
      this.#around.listener.say(this.name, 'did not stop in time and is killed');
      sendSignal(-pid, 'SIGKILL');
    }, this.#spec.stopWithinMs ?? STOP_WITHIN_MS);
    await gone;
    clearTimeout(force);
  }

  hurry(): void {
    this.#stay();
    if (this.pid) sendSignal(-this.pid, 'SIGKILL');
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.pid) return;
    if (signal === 'SIGKILL' || signal === 'SIGTERM') this.#ready = false;
    sendSignal(this.pid, signal);
  }

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
    if (this.#around.reaper.isClosing()) throw new Error('Cannot start a process while everything is being stopped');
    const { file, args, env, cwd, uid, gid, cleanup, order = 0, stopSignal = 'SIGTERM' } = this.#spec;
    this.#lastLines = [];
    const child = spawn(file, args, {
      env,
      // A separate group: Ctrl-C in the terminal must reach only the launcher, which stops its processes in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    });
    this.#child = child;
    if (child.pid)
      this.#around.reaper.add({ pid: child.pid, signal: stopSignal, order, ...(cleanup ? { cleanup } : {}) });
    const since = Date.now();
    for (const output of [child.stdout, child.stderr]) readLines(output, (line) => this.#handleLine(line));
    child.once('error', (error) => this.#handleLine(String(error)));
    child.once('exit', () => {
      if (child.pid) sendSignal(-child.pid, 'SIGKILL');
    });
    this.#gone = new Promise((resolve) => {
      child.once('close', () => resolve(this.#handleExit(child, Date.now() - since)));
    });
  }

  #handleLine(written: string): void {
    const line = escapeControls(written);
    this.#lastLines = [...this.#lastLines, line].slice(-MAX_LINES);
    if (!this.#spec.chatter?.test(line)) this.#around.listener.line(this.name, line);
  }

  async #handleExit(child: ChildProcess, livedMs: number): Promise<void> {
    const [file, ...args] = this.#spec.cleanup ?? [];
    // A killed docker client leaves its container, whose name is needed again.
    if (file && child.exitCode !== 0)
      await promisify(execFile)(file, args, { timeout: CLEANUP_MS }).catch(() => undefined);
    if (child.pid) this.#around.reaper.remove(child.pid);
    if (this.#child === child) this.#child = undefined;
    this.#ready = false;
    if (!this.#wanted || this.#around.reaper.isClosing() || (this.#spec.failsFast && !this.#everReady)) return;
    this.#deaths = livedMs > HEALTHY_AFTER_MS ? 1 : this.#deaths + 1;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (this.#deaths - 1), MAX_DELAY_MS);
    this.#around.listener.say(this.name, `${howItEnded(child)}; restarting in ${seconds(delay)}`);
    this.#again = setTimeout(() => this.#startAgain(), delay);
  }

  #startAgain(): void {
    if (this.#around.reaper.isClosing()) return;
    const since = Date.now();
    this.#launch();
    const child = this.#child;
    if (!this.#everReady) return; // `start` is still waiting for it
    this.#waitForAnswer().then(
      () => this.#around.listener.say(this.name, `is ready again after ${seconds(Date.now() - since)}`),
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
      throw new Error([`${this.name} does not respond: ${reason}`, ...this.#lastLines].join('\n    '));
    });
    if (isLost()) return;
    this.#ready = true;
    this.#everReady = true;
  }
}
