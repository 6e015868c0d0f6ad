import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Release, tryLock } from '../lock.mjs';
import { isAlive } from '../process-manager/alive.ts';
import { readJsonFile, writeJsonFile } from '../process-manager/json-file.ts';

const record = z.object({
  pid: z.number(),
  guardian: z.number(),
  url: z.string().optional(),
  mailboxUrl: z.string().optional(),
});

/** What a start writes down about itself, for the next one in the same checkout. */
export type RunningRecord = z.infer<typeof record>;

// The guardian gives services, backing servers and PostgreSQL eight seconds each, one after the other.
const EARLIER_ENDS_WITHIN_MS = 40_000;

const fileIn = (home: string): string => join(home, 'launcher.json');

export const readRecord = (home: string): RunningRecord | undefined => {
  try {
    return readJsonFile(fileIn(home), record);
  } catch {
    return undefined;
  }
};

export const writeRecord = (home: string, running: RunningRecord): void => writeJsonFile(fileIn(home), running);

// After a restart of the machine the number may be anybody's.
const isGuardian = async (pid: number): Promise<boolean> => {
  if (!isAlive(pid)) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'guardian');
  return command.includes('guardian');
};

/** After a launcher was killed, its guardian needs a moment to end what it had started. */
const waitForEarlier = async (home: string): Promise<void> => {
  const earlier = readRecord(home);
  if (!earlier) return;
  const deadline = Date.now() + EARLIER_ENDS_WITHIN_MS;
  while (Date.now() < deadline && (await isGuardian(earlier.guardian))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Makes this process the only launcher of its home; answers undefined where another one is at work. */
export const lockDataDir = async (home: string): Promise<Release | undefined> => {
  const release = await tryLock(join(home, 'launcher.lock'));
  if (!release) return undefined;
  await waitForEarlier(home);
  return async () => {
    rmSync(fileIn(home), { force: true });
    await release();
  };
};
