import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Release, tryLock } from '../lock.mjs';
import { isAlive } from '../process-manager/alive.ts';
import { readJsonFile, writeJsonFile } from '../process-manager/json-file.ts';

const recordSchema = z.object({
  pid: z.number(),
  reaper: z.number(),
  url: z.string().optional(),
  mailboxUrl: z.string().optional(),
});

type RunningRecord = z.infer<typeof recordSchema>;

// The reaper gives services, backing servers, and PostgreSQL eight seconds each, sequentially.
const REAPER_TIMEOUT_MS = 40_000;

const getRecordFile = (home: string): string => join(home, 'launcher.json');

export const readRecord = (home: string): RunningRecord | undefined => {
  try {
    return readJsonFile(getRecordFile(home), recordSchema);
  } catch {
    return undefined;
  }
};

export const writeRecord = (home: string, running: RunningRecord): void => writeJsonFile(getRecordFile(home), running);

const REAPER_PROGRAM = 'orphan-reaper';

// After a reboot, the process id may belong to a different program.
const isReaper = async (pid: number): Promise<boolean> => {
  if (!isAlive(pid)) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => REAPER_PROGRAM);
  return command.includes(REAPER_PROGRAM);
};

const waitForReaper = async (home: string): Promise<void> => {
  const previous = readRecord(home);
  if (!previous) return;
  const deadline = Date.now() + REAPER_TIMEOUT_MS;
  while (Date.now() < deadline && (await isReaper(previous.reaper))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

export const lockDataDir = async (home: string): Promise<Release | undefined> => {
  const release = await tryLock(join(home, 'launcher.lock'));
  if (!release) return undefined;
  await waitForReaper(home);
  return async () => {
    rmSync(getRecordFile(home), { force: true });
    await release();
  };
};
