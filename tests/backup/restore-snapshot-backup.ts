import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWatchedContext } from '@atrium/test-kit/system/start-system';
import { readViews, restoreDatabases, unpack } from '@atrium/tools/upgrade-snapshot/snapshots';
import { captureViews, createFetchAs, findDifferences } from '@atrium/tools/upgrade-snapshot/views';
import type { ReportResult } from '../simulation/failure-collector.ts';
import { createSecondContext, startIn, withStores } from './installations.ts';
import { runBackup } from './program.ts';
import { withSystem } from './restore-test.ts';

/** Backs up the untouched data of an earlier release, then restores and starts it with the current code. */
export async function restoreSnapshotBackup(commit: string, report: ReportResult): Promise<void> {
  const to = mkdtempSync(join(tmpdir(), 'atrium-earlier-'));
  try {
    const first = createWatchedContext({ prepareDataDir: unpack(commit) });
    await restoreDatabases(first.context);
    await withStores(first.context, (env) => runBackup(env, 'backup', '--to', to));
    const second = createSecondContext(first.context, {});
    await withStores(second.context, (env) => runBackup(env, 'restore', '--from', to));
    await first.context.reaper.close();
    first.context.ports.release();
    await withSystem(
      startIn(second, { checkPublished: false }),
      `the restored snapshot ${commit}`,
      report,
      async ({ url }) => {
        const views = await captureViews(createFetchAs({ tokensFrom: url, url }));
        report(`a backup of ${commit} shows every list as before`, findDifferences(readViews(commit), views));
      },
    );
  } finally {
    rmSync(to, { recursive: true });
  }
}
