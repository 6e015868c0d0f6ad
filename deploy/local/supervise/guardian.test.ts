import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isAlive, sendSignal } from './alive.ts';
import { waitUntil } from './wait-until.ts';

const LAUNCHER = fileURLToPath(new URL('./stand-in-launcher.fixture.ts', import.meta.url));

describe('the guardian', () => {
  let launcher: ChildProcess;
  let pids: number[] = [];

  const begin = async (): Promise<string> => {
    launcher = spawn(process.execPath, [LAUNCHER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const input = launcher.stdout;
    if (!input) throw new Error('no output');
    const line = await new Promise<string>((resolve) => createInterface({ input }).once('line', resolve));
    const words = line.split(' ');
    pids = words.slice(0, 3).map(Number);
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    return words[3] ?? '';
  };
  const allGone = () =>
    waitUntil(async () => expect(pids.map(isAlive)).toEqual([false, false, false]), { withinMs: 20_000 });

  afterEach(() => {
    for (const pid of [...pids, launcher.pid ?? 0]) if (isAlive(pid)) sendSignal(pid, 'SIGKILL');
  });

  it('leaves no process and no passing folder after the launcher got SIGKILL', async () => {
    const folder = await begin();
    expect(existsSync(folder)).toBe(true);
    launcher.kill('SIGKILL');
    await allGone();
    expect(existsSync(folder)).toBe(false);
  }, 30_000);

  it('is replaced by a new one that knows everything when it is killed itself', async () => {
    await begin();
    const [guardian = 0] = pids;
    sendSignal(guardian, 'SIGKILL');
    await waitUntil(async () => expect(isAlive(guardian)).toBe(false), { withinMs: 5_000 });
    // The launcher notices on its own time; its new guardian is a child of its own.
    await waitUntil(async () => expect(await childrenOf(launcher.pid ?? 0)).toHaveLength(2), { withinMs: 5_000 });
    launcher.kill('SIGKILL');
    await allGone();
  }, 30_000);
});

const childrenOf = async (pid: number): Promise<string[]> => {
  const ps = spawn('ps', ['-o', 'args=', '--ppid', String(pid)]);
  let text = '';
  for await (const chunk of ps.stdout) text += String(chunk);
  return text.split('\n').filter((line) => line !== '' && !line.includes('defunct'));
};
