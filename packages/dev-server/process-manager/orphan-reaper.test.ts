import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
// biome-ignore lint/style/noRestrictedImports: these lines contain only process ids and a path
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
  const startLauncher = async (): Promise<string> => {
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
  const waitForExit = () =>
    waitUntil(async () => expect(pids.map(isAlive)).toEqual([false, false, false]), { timeoutMs: 40_000 });

  afterEach(() => {
    for (const pid of [...pids, launcher.pid ?? 0]) if (isAlive(pid)) sendSignal(pid, 'SIGKILL');
  });

  it('ends all processes and removes temporary folders after the launcher is killed', async () => {
    const folder = await startLauncher();
    expect(existsSync(folder)).toBe(true);
    launcher.kill('SIGKILL');
    await waitForExit();
    expect(existsSync(folder)).toBe(false);
  });

  it('restarts with its registered processes when it is killed', async () => {
    await startLauncher();
    const [reaper = 0] = pids;
    // The launcher prints this line after it has sent the state, which the new process lacks at first.
    const restarted = nextLine();
    sendSignal(reaper, 'SIGKILL');
    expect(await restarted).toBe('reaper restarted');
    expect(isAlive(reaper)).toBe(false);
    launcher.kill('SIGKILL');
    await waitForExit();
  });
});
