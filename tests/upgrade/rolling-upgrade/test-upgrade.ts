import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDemo } from '@atrium/tools/demo/demo';
import { DEMO_PASSWORD, demoEmail } from '@atrium/tools/demo/people';
import { readViews, snapshots, startFromSnapshot } from '@atrium/tools/upgrade-snapshot/snapshots';
import { captureViews, findDifferences, VIEWERS } from '@atrium/tools/upgrade-snapshot/views';
import { restoreSnapshotBackup } from '../../backup/restore-snapshot-backup.ts';
import { runRestoreTest } from '../../backup/restore-test.ts';
import { createFailureCollector, type ReportResult } from '../../simulation/failure-collector.ts';
import { expectStatus, signInClient } from '../../workspace/workspace.ts';
import { upgradeAndRollBack } from './upgrade-and-roll-back.ts';

/**
 * `npm run test:upgrade [-- --from <commit> | --restore-test]` starts this checkout on every snapshot, performs a
 * rolling upgrade from the latest snapshot's commit (or the specified one) and back while ten users work, and then
 * tests restores of every snapshot and of a backup under load. With `--restore-test`, it only tests restores. Exits
 * with 1 after any failure.
 */
const { values } = parseArgs({
  options: { from: { type: 'string' }, 'restore-test': { type: 'boolean', default: false } },
});
const from = values.from ?? snapshots.at(-1) ?? '';
if (!snapshots.includes(from)) {
  console.error(`No snapshot of commit ${from}. Available: ${snapshots.join(', ')}`);
  process.exit(64);
}

async function checkStart(commit: string, report: ReportResult): Promise<void> {
  const startedAt = performance.now();
  const system = await startFromSnapshot(commit);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const clients = new Map<string, Awaited<ReturnType<typeof signInClient>>>();
  for (const viewer of VIEWERS) clients.set(viewer, await signInClient(system.url, demoEmail(viewer), DEMO_PASSWORD));
  const views = await captureViews((viewer, path) => {
    const client = clients.get(viewer);
    if (!client) throw new Error(`${viewer} has not signed in`);
    return expectStatus(client.call('GET', path), 200);
  });
  report(`this checkout starts on the snapshot of ${commit} (${seconds} s) with unchanged lists`, [
    ...findDifferences(readViews(commit), views),
    ...(await system.stop().then(
      () => [],
      (error: Error) => [error.message],
    )),
  ]);
}

/** Uses the demo of this checkout, because restore tests require that every resource has its events. */
async function testRestores(report: ReportResult): Promise<void> {
  const to = mkdtempSync(join(tmpdir(), 'atrium-restore-test-'));
  const print = (line: string) => console.log(line.trimEnd());
  const fill = ({ url }: { url: string }) => runDemo({ baseUrl: url, print: () => undefined });
  try {
    for (const commit of snapshots) await restoreSnapshotBackup(commit, report);
    await runRestoreTest(
      { to, workMs: 20_000, hasAllEvents: true, env: { ALLOW_PAST_MEETINGS: 'true' }, fill, print },
      report,
    );
  } finally {
    rmSync(to, { recursive: true });
  }
}

const { report, count } = createFailureCollector();
if (values.from === undefined && !values['restore-test'])
  for (const commit of snapshots) await checkStart(commit, report);
if (!values['restore-test']) await upgradeAndRollBack(from, report);
if (values.from === undefined) await testRestores(report);
console.log(count() === 0 ? '\nAll checks passed.' : `\n${count()} failures.`);
process.exit(count() === 0 ? 0 : 1);
