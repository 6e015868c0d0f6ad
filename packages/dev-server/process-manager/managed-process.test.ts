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
    folder = mkdtempSync(join(tmpdir(), 'atrium-part-'));
    ports = createPorts(join(folder, 'ports.json'));
    port = await ports.of('stand-in');
    lines = [];
    messages = [];
  });
  afterEach(async () => {
    await reaper.close();
    ports.release();
    rmSync(folder, { recursive: true });
  });

  const ask = async () => (await fetch(`http://127.0.0.1:${port}`)).text();
  const make = (mode = 'good', more: Partial<ProcessSpec> = {}): ManagedProcess =>
    new ManagedProcess(
      {
        name: 'stand-in',
        file: process.execPath,
        args: ['-e', SERVER, String(port), mode],
        env: process.env,
        answers: async () => void (await ask()),
        ...more,
      },
      { reaper, listener: { line: (_, line) => lines.push(line), say: (_, text) => messages.push(text) } },
    );

  it('runs the cleanup command after a killed process, before restarting it', async () => {
    const leftover = join(folder, 'container');
    const part = make('good', { cleanup: ['rm', leftover] });
    await part.start();
    writeFileSync(leftover, '');
    part.kill('SIGKILL');
    await part.whenReady();
    expect(existsSync(leftover)).toBe(false);
    writeFileSync(leftover, '');
    await part.stop();
    expect(existsSync(leftover)).toBe(true);
  });

  it('has started once the process responds, and has stopped once it has exited', async () => {
    const part = make();
    await part.start();
    expect(Number(await ask())).toBe(part.pid);
    const pid = part.pid ?? 0;
    await part.stop();
    expect(isAlive(pid)).toBe(false);
    expect(lines).toEqual(['asked to end']);
    expect(messages).toEqual([]);
  });

  it('splits output at LF only, and escapes control characters', async () => {
    const part = make('forges');
    await part.start();
    await part.stop();
    expect(lines).toEqual(['x\\u2028[19:00] INFO: forged\\u2029\\u009b31m\\u001b[2J\\u000d.', 'asked to end']);
  });

  it('restarts a killed process and reports it', async () => {
    const part = make();
    await part.start();
    const first = await ask();
    part.kill('SIGKILL');
    await part.whenReady();
    expect(await ask()).not.toBe(first);
    await waitUntil(async () => expect(messages).toHaveLength(2), { withinMs: 20_000 });
    expect(messages[0]).toBe('was ended by SIGKILL; restarting in 0.3 s');
    expect(messages[1]).toMatch(/^is ready again after \d+\.\d s$/);
    await part.stop();
  });

  it('increases the delay after each failure', async () => {
    const part = make('dies');
    const starting = expect(part.start()).rejects.toThrow('stand-in does not respond: it was stopped');
    await waitUntil(async () => expect(messages.length).toBeGreaterThanOrEqual(3), { withinMs: 20_000 });
    await part.stop();
    await starting;
    const delays = messages.map((text) => Number(/in (\d+\.\d) s/.exec(text)?.[1]));
    expect(delays.slice(0, 3)).toEqual([0.3, 0.5, 1]);
  });

  it('fails to start if the process does not respond in time', async () => {
    const part = make('dies', { answersWithinMs: 100 });
    await expect(part.start()).rejects.toThrow(/stand-in does not respond: .*fetch failed/);
    await part.stop();
  });

  it('fails immediately with the last output if a process with failsFast ends', async () => {
    const part = make('dies', { failsFast: true });
    await expect(part.start()).rejects.toThrow(/it ended\n\s+cannot start/);
    expect(messages).toEqual([]);
  });

  it('kills a process that does not stop in time', async () => {
    const part = make('stubborn', { stopWithinMs: 300 });
    await part.start();
    const pid = part.pid ?? 0;
    await part.stop();
    expect(isAlive(pid)).toBe(false);
    expect(messages).toEqual(['did not stop in time and is killed']);
  });

  it('stays stopped, and can be started again on the same port', async () => {
    const part = make();
    await part.start();
    await part.stop();
    await expect(ask()).rejects.toThrow();
    await part.start();
    expect(Number(await ask())).toBe(part.pid);
    await part.stop();
  });

  it('drops output lines that match `chatter`', async () => {
    const part = make('good', { chatter: /asked/ });
    await part.start();
    await part.stop();
    expect(lines).toEqual([]);
  });
});
