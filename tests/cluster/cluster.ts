import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFailureCollector } from '../simulation/failure-collector.ts';
import { startBackgroundTraffic } from './background-traffic.ts';
import { deployOverlay, namespaceFor } from './deploy-overlay.ts';
import { openKubectl } from './kubectl.ts';
import { HELP, readOptions } from './options.ts';
import type { Step } from './step.ts';
import { checkChat } from './steps/check-chat.ts';
import { checkForgedAddress } from './steps/check-forged-address.ts';
import { checkPodSecurity, checkPodStarts } from './steps/check-pod-security.ts';
import { drainNodes } from './steps/drain-nodes.ts';
import { killPods } from './steps/kill-pods.ts';
import { probeNetworkPaths } from './steps/probe-network-paths.ts';
import { restartDeployments, upgrade } from './steps/restart-deployments.ts';
import { scaleChat } from './steps/scale-chat.ts';
import { withTemporaryNamespace } from './temporary-namespace.ts';

/** Steps in the order in which they run. Each leaves the deployment unchanged. */
const steps: readonly Step[] = [
  { name: 'security: PodSecurity rejects pods that are not restricted', run: checkPodSecurity },
  { name: 'network: NetworkPolicies block all paths that are not allowed', run: probeNetworkPaths },
  { name: 'address: clients cannot forge their IP address', run: checkForgedAddress },
  { name: 'talk: two browsers exchange messages', run: checkChat },
  { name: 'upgrade: from the images of --from', run: upgrade },
  { name: 'roll: restart every Deployment', run: restartDeployments },
  { name: 'start: startup time and memory of every pod', run: checkPodStarts },
  { name: 'end: kill a pod of each service', run: killPods },
  { name: 'drain: drain every node', run: drainNodes },
  { name: 'scale: scale chat from one pod to three and back', run: scaleChat },
];

/** `npm run test:k8s`; see `options.ts`. Exit code 1 after any failure. */
const options = readOptions(process.argv.slice(2));
if (!options) {
  console.log(HELP);
  process.exit(0);
}
const kubectl = openKubectl(namespaceFor(options.overlay));
const { report, count } = createFailureCollector();
const startedAt = performance.now();
const elapsed = () => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
const selected = steps.filter(
  ({ name }) => options.words.length === 0 || options.words.some((word) => name.includes(word)),
);
const reportError = (name: string) => (error: unknown) =>
  report(name, [error instanceof Error ? (error.stack ?? error.message) : String(error)]);

const folder = await mkdtemp(join(tmpdir(), 'atrium-cluster-'));
const runSteps = async () => {
  const deployment = await deployOverlay(kubectl, options, folder);
  console.log(`${options.overlay} is deployed after ${elapsed()}`);
  const traffic = await startBackgroundTraffic(deployment);
  for (const { name, run } of selected) {
    console.log(`\n${name} (after ${elapsed()})`);
    await run({ kubectl, deployment, options, traffic, report }).catch(reportError(name));
  }
  await traffic.close(report);
};
try {
  await withTemporaryNamespace(kubectl, options, () => runSteps().catch(reportError(`check of ${options.overlay}`)));
} finally {
  if (!options.keep) await rm(folder, { recursive: true, force: true });
}
console.log(count() === 0 ? `\nAll checks passed after ${elapsed()}.` : `\n${count()} failures after ${elapsed()}.`);
process.exit(count() === 0 ? 0 : 1);
