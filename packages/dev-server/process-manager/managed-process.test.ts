import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isAlive } from './alive.ts';
import { ManagedProcess, type PartSpec } from './managed-process.ts';
import { createPorts, type Ports } from './ports.ts';
import { createGuard, type Guard } from './reaper-client.ts';
import { waitUntil } from './wait-until.ts';

// A stand-in that answers on a port, and does what a test asks of it.
const SERVER = `
  const [port, mode] = process.argv.slice(1);
  if (mode === 'forges') console.log('x\\u2028[19:00] INFO: forged\\u2029\\u009b31m\\u001b[2J\\r.');
  if (mode === 'dies') { console.log('cannot start'); process.exit(3); }
  process.on('SIGTERM', () => { console.log('asked to end'); if (mode !== 'stubborn') process.exit(0); });
  require('node:http').createServer((_, res) => res.end(String(process.pid))).listen(Number(port), '127.0.0.1');
`;

describe('a supervised process', () => {
  let guard: Guard;
  let folder: string;
  let ports: Ports;
  let port: number;
  let lines: string[];
  let said: string[];

  beforeEach(async () => {
    guard = createGuard();
    folder = mkdtempSync(join(tmpdir(), 'atrium-part-'));
    ports = createPorts(join(folder, 'ports.json'));
    port = await ports.of('stand-in');
    lines = [];
    said = [];
  });
  afterEach(async () => {
    await guard.close();
    ports.release();
    rmSync(folder, { recursive: true });
  });

  const ask = async () => (await fetch(`http://127.0.0.1:${port}`)).text();
  const make = (mode = 'good', more: Partial<PartSpec> = {}): ManagedProcess =>
    new ManagedProcess(
      {
        name: 'stand-in',
        file: process.execPath,
        args: ['-e', SERVER, String(port), mode],
        env: process.env,
        answers: async () => void (await ask()),
        ...more,
      },
      { guard, listener: { line: (_, line) => lines.push(line), say: (_, text) => said.push(text) } },
    );

  it('is cleaned up after before it is started again, where it did not end by itself', async () => {
    const left = join(folder, 'container');
    const part = make('good', { cleanup: ['rm', left] });
    await part.start();
    writeFileSync(left, '');
    part.kill('SIGKILL');
    await part.whenReady();
    expect(existsSync(left)).toBe(false);
    writeFileSync(left, '');
    await part.stop();
    expect(existsSync(left)).toBe(true);
  });

  it('is started once it answers, and is gone once it is stopped', async () => {
    const part = make();
    await part.start();
    expect(Number(await ask())).toBe(part.pid);
    const pid = part.pid ?? 0;
    await part.stop();
    expect(isAlive(pid)).toBe(false);
    expect(lines).toEqual(['asked to end']);
    expect(said).toEqual([]);
  });

  it('writes lines that end at LF alone, with nothing that a terminal obeys', async () => {
    const part = make('forges');
    await part.start();
    await part.stop();
    expect(lines).toEqual(['x\\u2028[19:00] INFO: forged\\u2029\\u009b31m\\u001b[2J\\u000d.', 'asked to end']);
  });

  it('comes back after it was killed, and the launcher says so', async () => {
    const part = make();
    await part.start();
    const first = await ask();
    part.kill('SIGKILL');
    await part.whenReady();
    expect(await ask()).not.toBe(first);
    await waitUntil(async () => expect(said).toHaveLength(2), { withinMs: 20_000 });
    expect(said[0]).toBe('was ended by SIGKILL; starting it again in 0.3 s');
    expect(said[1]).toMatch(/^is back after \d+\.\d s$/);
    await part.stop();
  });

  it('waits longer after each death', async () => {
    const part = make('dies');
    const starting = expect(part.start()).rejects.toThrow('stand-in does not answer: it was stopped');
    await waitUntil(async () => expect(said.length).toBeGreaterThanOrEqual(3), { withinMs: 20_000 });
    await part.stop();
    await starting;
    const delays = said.map((text) => Number(/in (\d+\.\d) s/.exec(text)?.[1]));
    expect(delays.slice(0, 3)).toEqual([0.3, 0.5, 1]);
  });

  it('fails to start when it does not answer in time', async () => {
    const part = make('dies', { answersWithinMs: 100 });
    await expect(part.start()).rejects.toThrow(/stand-in does not answer: .*fetch failed/);
    await part.stop();
  });

  it('gives up at once with its last words where a death at the start is a lost cause', async () => {
    const part = make('dies', { failsFast: true });
    await expect(part.start()).rejects.toThrow(/it ended\n\s+cannot start/);
    expect(said).toEqual([]);
  });

  it('is ended by force when it does not stop in time', async () => {
    const part = make('stubborn', { stopWithinMs: 300 });
    await part.start();
    const pid = part.pid ?? 0;
    await part.stop();
    expect(isAlive(pid)).toBe(false);
    expect(said).toEqual(['did not stop in time and is ended now']);
  });

  it('stays down after a stop and can be started again on the same port', async () => {
    const part = make();
    await part.start();
    await part.stop();
    await expect(ask()).rejects.toThrow();
    await part.start();
    expect(Number(await ask())).toBe(part.pid);
    await part.stop();
  });

  it('keeps chatter out of the log', async () => {
    const part = make('good', { chatter: /asked/ });
    await part.start();
    await part.stop();
    expect(lines).toEqual([]);
  });
});
