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
  stopTimeoutMs?: number;
  /** Order in which the reaper ends processes after the launcher: 0 for services, higher for their dependencies. */
  stopPhase?: number;
  /** A command that removes what a killed process leaves behind, such as its container. */
  cleanup?: string[];
  /** Lines of output that are not passed to the listener. */
  ignoredOutput?: RegExp;
  /** Throws until the process is ready. */
  checkReady: () => Promise<void>;
  readyTimeoutMs?: number;
  /** Whether `start` fails, instead of restarting the process, if it ends before it was ever ready. */
  failsFast?: boolean;
}

export interface ProcessListener {
  /** Receives each line that a process prints. */
  line(name: string, line: string): void;
  /** Receives messages of the launcher about a process. */
  log(name: string, text: string): void;
}

interface ProcessManager {
  reaper: ReaperClient;
  listener: ProcessListener;
}

const FIRST_RESTART_DELAY_MS = 250;
const MAX_RESTART_DELAY_MS = 15_000;
const HEALTHY_AFTER_MS = 20_000;
const DEFAULT_STOP_TIMEOUT_MS = 25_000;
const DEFAULT_READY_TIMEOUT_MS = 60_000;
const CLEANUP_TIMEOUT_MS = 10_000;
const MAX_LINES = 12;

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const describeExit = (child: ChildProcess): string =>
  child.signalCode ? `was ended by ${child.signalCode}` : `ended with code ${child.exitCode}`;

/** A process that is restarted with increasing delays when it ends, and killed if it does not stop in time. */
export class ManagedProcess {
  readonly #spec: ProcessSpec;
  readonly #manager: ProcessManager;
  #child: ChildProcess | undefined;
  #shouldRun = false;
  #isReady = false;
  #wasReady = false;
  #restartCount = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  #exited: Promise<void> = Promise.resolve();
  #lastLines: string[] = [];

  constructor(spec: ProcessSpec, manager: ProcessManager) {
    this.#spec = spec;
    this.#manager = manager;
  }

  get name(): string {
    return this.#spec.name;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  async start(): Promise<void> {
    if (this.#shouldRun) return this.whenReady();
    this.#shouldRun = true;
    this.#launch();
    await this.#waitUntilReady();
  }

  /** Stops the process, or kills it after a time limit. It stays stopped until `start` is called. */
  async stop(): Promise<void> {
    this.#markStopped();
    const child = this.#child;
    if (!child?.pid) return;
    const { pid } = child;
    const exited = this.#exited;
    sendSignal(pid, this.#spec.stopSignal ?? 'SIGTERM');
    const killTimer = setTimeout(() => {
      this.#manager.listener.log(this.name, 'did not stop in time and is killed');
      sendSignal(-pid, 'SIGKILL');
    }, this.#spec.stopTimeoutMs ?? DEFAULT_STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(killTimer);
  }

  /** Kills the process group immediately. The process stays stopped until `start` is called. */
  killNow(): void {
    this.#markStopped();
    if (this.pid) sendSignal(-this.pid, 'SIGKILL');
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.pid) return;
    if (signal === 'SIGKILL' || signal === 'SIGTERM') this.#isReady = false;
    sendSignal(this.pid, signal);
  }

  whenReady(): Promise<void> {
    const check = async () => {
      if (!this.#isReady) throw new Error(`${this.name} is not ready`);
    };
    return waitUntil(check, { timeoutMs: this.#spec.readyTimeoutMs ?? DEFAULT_READY_TIMEOUT_MS, intervalMs: 20 });
  }

  #markStopped(): void {
    this.#shouldRun = false;
    this.#isReady = false;
    clearTimeout(this.#restartTimer);
  }

  #launch(): void {
    if (this.#manager.reaper.isClosing()) throw new Error('Cannot start a process while everything is being stopped');
    const { file, args, env, cwd, uid, gid, cleanup, stopPhase = 0, stopSignal = 'SIGTERM' } = this.#spec;
    this.#lastLines = [];
    const child = spawn(file, args, {
      env,
      // A separate process group, because Ctrl-C must reach only the launcher, which stops its processes in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    });
    this.#child = child;
    if (child.pid)
      this.#manager.reaper.add({ pid: child.pid, signal: stopSignal, stopPhase, ...(cleanup ? { cleanup } : {}) });
    const startedAt = Date.now();
    for (const output of [child.stdout, child.stderr]) readLines(output, (line) => this.#handleLine(line));
    child.once('error', (error) => this.#handleLine(String(error)));
    child.once('exit', () => {
      if (child.pid) sendSignal(-child.pid, 'SIGKILL');
    });
    this.#exited = new Promise((resolve) => {
      child.once('close', () => resolve(this.#handleExit(child, Date.now() - startedAt)));
    });
  }

  #handleLine(text: string): void {
    const line = escapeControls(text);
    this.#lastLines = [...this.#lastLines, line].slice(-MAX_LINES);
    if (!this.#spec.ignoredOutput?.test(line)) this.#manager.listener.line(this.name, line);
  }

  async #handleExit(child: ChildProcess, uptimeMs: number): Promise<void> {
    const [file, ...args] = this.#spec.cleanup ?? [];
    // A killed Docker client leaves a container whose name the next start needs.
    if (file && child.exitCode !== 0)
      await promisify(execFile)(file, args, { timeout: CLEANUP_TIMEOUT_MS }).catch(() => undefined);
    if (child.pid) this.#manager.reaper.remove(child.pid);
    if (this.#child === child) this.#child = undefined;
    this.#isReady = false;
    if (!this.#shouldRun || this.#manager.reaper.isClosing() || (this.#spec.failsFast && !this.#wasReady)) return;
    this.#restartCount = uptimeMs > HEALTHY_AFTER_MS ? 1 : this.#restartCount + 1;
    const delay = Math.min(FIRST_RESTART_DELAY_MS * 2 ** (this.#restartCount - 1), MAX_RESTART_DELAY_MS);
    this.#manager.listener.log(this.name, `${describeExit(child)}; restarting in ${formatSeconds(delay)}`);
    this.#restartTimer = setTimeout(() => this.#restart(), delay);
  }

  #restart(): void {
    if (this.#manager.reaper.isClosing()) return;
    const startedAt = Date.now();
    this.#launch();
    const child = this.#child;
    // `start` is still waiting for it.
    if (!this.#wasReady) return;
    this.#waitUntilReady().then(
      () => this.#manager.listener.log(this.name, `is ready again after ${formatSeconds(Date.now() - startedAt)}`),
      (error: Error) => this.#child === child && this.#manager.listener.log(this.name, error.message),
    );
  }

  async #waitUntilReady(): Promise<void> {
    const child = this.#child;
    const hasEnded = () => (this.#wasReady || this.#spec.failsFast === true) && this.#child !== child;
    const hasStopped = () => !this.#shouldRun || hasEnded();
    const timeoutMs = this.#spec.readyTimeoutMs ?? DEFAULT_READY_TIMEOUT_MS;
    await waitUntil(() => this.#spec.checkReady(), { timeoutMs, shouldGiveUp: hasStopped }).catch((error: unknown) => {
      const stopReason = this.#shouldRun ? 'it ended' : 'it was stopped';
      const reason = hasStopped() ? stopReason : error instanceof Error ? error.message : String(error);
      throw new Error([`${this.name} does not respond: ${reason}`, ...this.#lastLines].join('\n    '));
    });
    if (hasStopped()) return;
    this.#isReady = true;
    this.#wasReady = true;
  }
}
