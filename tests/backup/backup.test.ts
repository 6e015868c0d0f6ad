import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { restoreDatabases, unpack, worlds } from '../upgrade/worlds.ts';
import { drill } from './drill.ts';

describe('a backup', () => {
  const to = mkdtempSync(join(tmpdir(), 'atrium-backup-'));
  afterAll(() => rmSync(to, { recursive: true }));

  it('taken while people work is that moment of all stores, restored into an empty place', async () => {
    const commit = worlds.at(-1) ?? '';
    const seen: string[] = [];
    const faults: string[] = [];
    await drill(
      // JetStream forgets the events of a world after thirty days.
      {
        to,
        workMs: 1_500,
        isThorough: false,
        say: () => undefined,
        furnish: unpack(commit),
        prepare: restoreDatabases,
        isTold: false,
      },
      (what, found) => {
        seen.push(what);
        faults.push(...found.map((fault) => `${what}: ${fault}`));
      },
    );
    expect(faults).toEqual([]);
    expect(seen.length).toBeGreaterThan(15);
  }, 480_000);
});
