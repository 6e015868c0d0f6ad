import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isAlive } from './alive.ts';
import { ManagedProcess, type ProcessSpec } from './managed-process.ts';
import { createPorts, type Ports } from './ports.ts';
import { createReaperClient, type ReaperClient } from './reaper-client.ts';
import { waitUntil } from './wait-until.ts';

const SERVER = `
  const [port, mode] = process.argv.slice(1);
  if (mode === 'forges') console.log('x\\u2028[19:00] INFO: forged\\u2029\\u009b31m\\u001b[2J\\r.');
  if (mode === 'dies') { console.log('cannot start'); process.exit(3); }
  process.on('SIGTERM', () => { console.log('asked to end'); if (mode !== 'stubborn') process.exit(0); });
  require('node:http').createServer((_, res) => res.end(String(process.pid))).listen(Number(port), '127.0.0.1');
`;

describe('ManagedProcess', () => {
  let reaper: ReaperClient;
  let folder: string;
  let ports: Ports;
  let port: number;
  let lines: string[];
  let messages: string[];

  beforeEach(async () => {
    reaper = createReaperClient();
    folder = mkdtempSync(join(tmpdir(), 'atrium-process-'));
    ports = createPorts(join(folder, 'ports.json'));
    port = await ports.reserve('stand-in');
    lines = [];
    messages = [];
  });
  afterEach(async () => {
    await reaper.close();
    ports.release();
    rmSync(folder, { recursive: true });
  });

  const fetchPid = async () => (await fetch(`http://127.0.0.1:${port}`)).text();
  const createProcess = (mode = 'good', overrides: Partial<ProcessSpec> = {}): ManagedProcess =>
    new ManagedProcess(
      {
        name: 'stand-in',
        file: process.execPath,
        args: ['-e', SERVER, String(port), mode],
        env: process.env,
        checkReady: async () => void (await fetchPid()),
        ...overrides,
      },
      { reaper, listener: { line: (_, line) => lines.push(line), log: (_, text) => messages.push(text) } },
    );

  it('runs the cleanup command before restarting a killed process, but not after a normal stop', async () => {
    const leftover = join(folder, 'container');
    const managed = createProcess('good', { cleanup: ['rm', leftover] });
    await managed.start();
    writeFileSync(leftover, '');
    managed.kill('SIGKILL');
    await managed.whenReady();
    expect(existsSync(leftover)).toBe(false);
    writeFileSync(leftover, '');
    await managed.stop();
    expect(existsSync(leftover)).toBe(true);
  });

  it('resolves start when the process responds, and stop when it has exited', async () => {
    const managed = createProcess();
    await managed.start();
    expect(Number(await fetchPid())).toBe(managed.pid);
    const pid = managed.pid ?? 0;
    await managed.stop();
    expect(isAlive(pid)).toBe(false);
    expect(lines).toEqual(['asked to end']);
    expect(messages).toEqual([]);
  });

  it('splits output at LF only, and escapes control characters', async () => {
    const managed = createProcess('forges');
    await managed.start();
    await managed.stop();
    expect(lines).toEqual(['x\\u2028[19:00] INFO: forged\\u2029\\u009b31m\\u001b[2J\\u000d.', 'asked to end']);
  });

  it('restarts a killed process and reports it', async () => {
    const managed = createProcess();
    await managed.start();
    const first = await fetchPid();
    managed.kill('SIGKILL');
    await managed.whenReady();
    expect(await fetchPid()).not.toBe(first);
    await waitUntil(async () => expect(messages).toHaveLength(2), { timeoutMs: 20_000 });
    expect(messages[0]).toBe('was ended by SIGKILL; restarting in 0.3 s');
    expect(messages[1]).toMatch(/^is ready again after \d+\.\d s$/);
    await managed.stop();
  });

  it('increases the restart delay after each failure', async () => {
    const managed = createProcess('dies');
    const starting = expect(managed.start()).rejects.toThrow('stand-in does not respond: it was stopped');
    await waitUntil(async () => expect(messages.length).toBeGreaterThanOrEqual(3), { timeoutMs: 20_000 });
    await managed.stop();
    await starting;
    const delays = messages.map((text) => Number(/in (\d+\.\d) s/.exec(text)?.[1]));
    expect(delays.slice(0, 3)).toEqual([0.3, 0.5, 1]);
  });

  it('rejects start if the process does not respond in time', async () => {
    const managed = createProcess('dies', { readyTimeoutMs: 100 });
    await expect(managed.start()).rejects.toThrow(/stand-in does not respond: .*fetch failed/);
    await managed.stop();
  });

  it('rejects start immediately, with the last output, if a process with failsFast ends', async () => {
    const managed = createProcess('dies', { failsFast: true });
    await expect(managed.start()).rejects.toThrow(/it ended\n\s+cannot start/);
    expect(messages).toEqual([]);
  });

  it('kills a process that does not stop in time', async () => {
    const managed = createProcess('stubborn', { stopTimeoutMs: 300 });
    await managed.start();
    const pid = managed.pid ?? 0;
    await managed.stop();
    expect(isAlive(pid)).toBe(false);
    expect(messages).toEqual(['did not stop in time and is killed']);
  });

  it('does not restart a stopped process, and can start it again on the same port', async () => {
    const managed = createProcess();
    await managed.start();
    await managed.stop();
    await expect(fetchPid()).rejects.toThrow();
    await managed.start();
    expect(Number(await fetchPid())).toBe(managed.pid);
    await managed.stop();
  });

  it('drops output lines that match ignoredOutput', async () => {
    const managed = createProcess('good', { ignoredOutput: /asked/ });
    await managed.start();
    await managed.stop();
    expect(lines).toEqual([]);
  });
});
