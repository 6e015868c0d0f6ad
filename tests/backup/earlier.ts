import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBox } from '@atrium/test-kit/system/start-system';
import type { Judge } from '../simulation/judge.ts';
import { askAt } from '../simulation/people.ts';
import { findDifferences, lookAround } from '../simulation/views.ts';
import { restoreDatabases, unpack, viewsOf } from '../upgrade/snapshots.ts';
import { openSecondBox, startIn, withStores } from './installations.ts';
import { runBackup } from './program.ts';
import { during } from './restore-test.ts';

/** A backup of what an earlier release left behind, which none of today's services has touched, restored and started by today's. */
export async function restoreEarlier(commit: string, judge: Judge): Promise<void> {
  const to = mkdtempSync(join(tmpdir(), 'atrium-earlier-'));
  try {
    const first = openBox({ furnish: unpack(commit) });
    await restoreDatabases(first.box);
    await withStores(first.box, (env) => runBackup(env, 'backup', '--to', to));
    const second = openSecondBox(first.box, {});
    await withStores(second.box, (env) => runBackup(env, 'restore', '--from', to));
    await first.box.guard.close();
    first.box.ports.release();
    await during(startIn(second, { isTold: false }), `a restored world of ${commit}`, judge, async ({ url }) => {
      const views = await lookAround(askAt({ tokensFrom: url, url }));
      judge(`a backup of ${commit} shows every list as it was`, findDifferences(viewsOf(commit), views));
    });
  } finally {
    rmSync(to, { recursive: true });
  }
}
