import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFailureCollector } from '../simulation/failure-collector.ts';
import { startBackgroundTraffic } from './background-traffic.ts';
import { deployOverlay, namespaceNamed } from './deploy-overlay.ts';
import { openKubectl } from './kubectl.ts';
import { HELP, readOptions } from './options.ts';
import { steps } from './steps.ts';
import { withTemporaryNamespace } from './temporary-namespace.ts';

/** `npm run test:k8s`; see `options.ts`. Exit code 1 after any failure. */
const options = readOptions(process.argv.slice(2));
if (!options) {
  console.log(HELP);
  process.exit(0);
}
const kubectl = openKubectl(namespaceNamed(options.overlay));
const { report, count } = createFailureCollector();
const began = performance.now();
const elapsed = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`;
const chosen = steps.filter(
  ({ name }) => options.words.length === 0 || options.words.some((word) => name.includes(word)),
);
const reportError = (what: string) => (error: unknown) =>
  report(what, [error instanceof Error ? (error.stack ?? error.message) : String(error)]);

const folder = await mkdtemp(join(tmpdir(), 'atrium-cluster-'));
const check = async () => {
  const deployment = await deployOverlay(kubectl, options, folder);
  console.log(`${options.overlay} is deployed after ${elapsed()}`);
  const traffic = await startBackgroundTraffic(deployment);
  for (const { name, run } of chosen) {
    console.log(`\n${name} (after ${elapsed()})`);
    await run({ kubectl, deployment, options, traffic, report }).catch(reportError(name));
  }
  await traffic.close(report);
};
try {
  await withTemporaryNamespace(kubectl, options, () => check().catch(reportError(`check of ${options.overlay}`)));
} finally {
  if (!options.keep) await rm(folder, { recursive: true, force: true });
}
console.log(count() === 0 ? `\nAll checks passed after ${elapsed()}.` : `\n${count()} failures after ${elapsed()}.`);
process.exit(count() === 0 ? 0 : 1);
