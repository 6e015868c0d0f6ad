import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
// biome-ignore lint/style/noRestrictedImports: these lines are numbers and a folder
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isAlive, sendSignal } from './alive.ts';
import { waitUntil } from './wait-until.ts';

const LAUNCHER = fileURLToPath(new URL('./fake-launcher.fixture.ts', import.meta.url));

describe('orphan reaper', () => {
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

  it('removes all processes and temporary folders after the launcher is killed', async () => {
    const folder = await begin();
    expect(existsSync(folder)).toBe(true);
    launcher.kill('SIGKILL');
    await allGone();
    expect(existsSync(folder)).toBe(false);
  });

  it('is replaced with its state after being killed itself', async () => {
    await begin();
    const [reaper = 0] = pids;
    // The launcher prints this after it has sent the state: the new process may exist before it has it.
    const restarted = nextLine();
    sendSignal(reaper, 'SIGKILL');
    expect(await restarted).toBe('reaper restarted');
    expect(isAlive(reaper)).toBe(false);
    launcher.kill('SIGKILL');
    await allGone();
  });
});
