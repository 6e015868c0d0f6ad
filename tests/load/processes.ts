import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createReaperClient, type ReaperClient } from '@atrium/dev-server/process-manager/reaper-client';
import { freePort } from '@atrium/test-kit/free-port';

/** A measured process of Atrium. Figures come from /proc, so the bench needs Linux. */
export type MeasuredProcess = {
  url: string;
  pid: number;
  /** Milliseconds from the spawn to the first successful response. */
  readyMs: number;
  /** Current resident memory in MB. */
  residentMb(): number;
  /** User and system CPU seconds so far. */
  cpuSeconds(): number;
  stop(): Promise<void>;
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLOCK_TICKS = 100;

/** Ends the measured processes after this one, even if it crashes or is killed. */
let reaper: ReaperClient | undefined;

type Options = {
  file: string;
  env: Record<string, string>;
  ready: (url: string) => string;
  port?: number;
  /** The checkout that contains the file; by default, this one. */
  checkout?: string;
};

/** Starts a program of this repository and waits until it responds. Throws with its output if it exits before. */
export async function startMeasured({
  file,
  env,
  ready,
  port: fixedPort,
  checkout = ROOT,
}: Options): Promise<MeasuredProcess> {
  const port = fixedPort ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [file], {
    cwd: checkout,
    env: { ...process.env, LOG_LEVEL: 'warn', ...env, PORT: String(port) },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child);
  const output: string[] = [];
  child.stdout.on('data', (data: Buffer) => output.push(data.toString()));
  child.stderr.on('data', (data: Buffer) => output.push(data.toString()));
  await waitUntilReady(ready(url), child, output);
  return { url, readyMs: performance.now() - startedAt, ...createReaders(child.pid), stop: () => stop(child) };
}

function endWithThisProcess(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  reaper ??= createReaperClient();
  const { add, remove } = reaper;
  add({ pid, signal: 'SIGTERM', stopPhase: 0 });
  child.once('exit', () => remove(pid));
}

/** Starts a bare proxy in front of another process, with the library of the gateway. */
export const startBareProxy = (target: MeasuredProcess) =>
  startMeasured({
    file: 'tests/load/baselines/bare-proxy.ts',
    env: { TARGET: target.url },
    ready: (url) => `${url}/readyz`,
  });

const createReaders = (pid: number | string | undefined) => ({
  pid: Number(pid),
  residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  cpuSeconds: () => cpuSeconds(pid),
});

/** Finds the local process that listens on the port of an address, such as a backing server. */
export function findListeningProcess(url: string): Pick<MeasuredProcess, 'pid' | 'residentMb' | 'cpuSeconds'> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const sockets = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n'));
  const [inode] = sockets
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === TCP_LISTEN_STATE)
    .map((fields) => fields[9]);
  // The parent process has the same socket and an earlier id.
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && hasOpenFile(name, `socket:[${inode}]`))
    .sort((a, b) => Number(b) - Number(a))[0];
  if (pid === undefined) throw new Error(`No process listens at ${url}`);
  return createReaders(pid);
}

const TCP_LISTEN_STATE = '0A';

function hasOpenFile(pid: string, file: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((name) => readlinkSync(`/proc/${pid}/fd/${name}`) === file);
  } catch {
    // The process has ended or belongs to another user.
    return false;
  }
}

async function waitUntilReady(url: string, child: ChildProcess, output: string[]): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) break;
    const ok = await fetch(url)
      .then((response) => response.ok)
      .catch(() => false);
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await stop(child);
  throw new Error(`${url} did not respond:\n${output.join('').slice(-3000)}`);
}

function cpuSeconds(pid: number | string | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(killTimer);
}

/** Measures the CPU time of processes under a load, in milliseconds per request in total. */
export async function measureCpu<T extends { requests: number }>(
  processes: MeasuredProcess[],
  run: () => Promise<T>,
): Promise<T & { cpuMs: number }> {
  const total = () => processes.reduce((sum, process) => sum + process.cpuSeconds(), 0);
  const before = total();
  const load = await run();
  return { ...load, cpuMs: ((total() - before) * 1000) / load.requests };
}
