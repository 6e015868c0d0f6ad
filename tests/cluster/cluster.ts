import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFailureCollector } from '../simulation/judge.ts';
import { openCalendarTeam } from './background-traffic.ts';
import { deployOverlay, namespaceNamed } from './deploy-overlay.ts';
import { openKubectl } from './kubectl.ts';
import { HELP, readOptions } from './options.ts';
import { useOwnNamespace } from './own-namespace.ts';
import { steps } from './steps.ts';

/** `npm run test:k8s`: see `options.ts`. Exit code 1 unless all goes well. */
const options = readOptions(process.argv.slice(2));
if (!options) {
  console.log(HELP);
  process.exit(0);
}
const kubectl = openKubectl(namespaceNamed(options.overlay));
const { judge, count } = createFailureCollector();
const began = performance.now();
const elapsed = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`;
const chosen = steps.filter(
  ({ name }) => options.words.length === 0 || options.words.some((word) => name.includes(word)),
);
const judgeError = (what: string) => (error: unknown) =>
  judge(what, [error instanceof Error ? (error.stack ?? error.message) : String(error)]);

const folder = await mkdtemp(join(tmpdir(), 'atrium-cluster-'));
const check = async () => {
  const deployment = await deployOverlay(kubectl, options, folder);
  console.log(`${options.overlay} is there after ${elapsed()}`);
  const office = await openCalendarTeam(deployment);
  for (const { name, run } of chosen) {
    console.log(`\n${name} (after ${elapsed()})`);
    await run({ kubectl, deployment, options, office, judge }).catch(judgeError(name));
  }
  await office.close(judge);
};
try {
  await useOwnNamespace(kubectl, options, () => check().catch(judgeError(`the check of ${options.overlay}`)));
} finally {
  if (!options.keep) await rm(folder, { recursive: true, force: true });
}
console.log(count() === 0 ? `\nAll is well after ${elapsed()}.` : `\n${count()} faults after ${elapsed()}.`);
process.exit(count() === 0 ? 0 : 1);
