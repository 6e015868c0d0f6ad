import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
// biome-ignore lint/style/noRestrictedImports: these lines are numbers and a folder of ours
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isAlive, sendSignal } from './alive.ts';
import { waitUntil } from './wait-until.ts';

const LAUNCHER = fileURLToPath(new URL('./stand-in-launcher.fixture.ts', import.meta.url));

describe('the guardian', () => {
  let launcher: ChildProcess;
  let lines: Interface;
  let pids: number[] = [];

  const nextLine = () => new Promise<string>((resolve) => lines.once('line', resolve));
  const begin = async (): Promise<string> => {
    launcher = spawn(process.execPath, [LAUNCHER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const input = launcher.stdout;
    if (!input) throw new Error('no output');
    lines = createInterface({ input });
    const line = await nextLine();
    const words = line.split(' ');
    pids = words.slice(0, 3).map(Number);
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    return words[3] ?? '';
  };
  const allGone = () =>
    waitUntil(async () => expect(pids.map(isAlive)).toEqual([false, false, false]), { withinMs: 40_000 });

  afterEach(() => {
    for (const pid of [...pids, launcher.pid ?? 0]) if (isAlive(pid)) sendSignal(pid, 'SIGKILL');
  });

  it('leaves no process and no passing folder after the launcher got SIGKILL', async () => {
    const folder = await begin();
    expect(existsSync(folder)).toBe(true);
    launcher.kill('SIGKILL');
    await allGone();
    expect(existsSync(folder)).toBe(false);
  }, 60_000);

  it('is replaced by a new one that knows everything when it is killed itself', async () => {
    await begin();
    const [guardian = 0] = pids;
    // The launcher says so itself, once it has told the new one: the process alone may be seen before it knows anything.
    const guardedAgain = nextLine();
    sendSignal(guardian, 'SIGKILL');
    expect(await guardedAgain).toBe('guarded again');
    expect(isAlive(guardian)).toBe(false);
    launcher.kill('SIGKILL');
    await allGone();
  }, 60_000);
});
