import { isReady } from '../kubectl.ts';
import type { StepContext } from '../step.ts';

/** Restarts each Deployment under load, the gateway last. */
export async function restartDeployments({ kubectl, traffic, report }: StepContext): Promise<void> {
  for (const name of await kubectl.deployments()) {
    const since = performance.now();
    const before = new Set((await kubectl.pods(name)).map(({ metadata }) => metadata.name));
    await kubectl.run('rollout', 'restart', `deployment/${name}`);
    await kubectl.run('rollout', 'status', `deployment/${name}`, '--timeout=300s');
    await waitUntilReplaced(kubectl, before);
    const seconds = ((performance.now() - since) / 1_000).toFixed(0);
    report(`${name.padEnd(14)} in ${seconds} s; ${traffic.summary(since)}`, traffic.failures(since));
  }
}

/** Upgrades one service at a time, as in docs/self-hosting/kubernetes.md. */
export async function upgrade({ kubectl, deployment, traffic, options, report }: StepContext): Promise<void> {
  if (options.from === undefined) return console.log('        nothing to do without --from');
  const since = performance.now();
  const pods = await kubectl.pods();
  const productPods = pods.filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] !== 'backing');
  await deployment.upgradeImages(options.tag);
  await waitUntilReplaced(kubectl, new Set(productPods.map(({ metadata }) => metadata.name)));
  const images = (await kubectl.pods()).flatMap(({ spec }) => spec.containers.map(({ image }) => image));
  const outdatedImages = images.filter((image) => image.startsWith('atrium/') && !image.endsWith(`:${options.tag}`));
  const seconds = ((performance.now() - since) / 1_000).toFixed(0);
  report(`${options.from} to ${options.tag} in ${seconds} s; ${traffic.summary(since)}`, [
    ...traffic.failures(since),
    ...outdatedImages,
  ]);
}

/** Waits until pods are gone, because a terminating pod still serves requests, whose failures count. */
async function waitUntilReplaced(kubectl: StepContext['kubectl'], names: ReadonlySet<string>): Promise<void> {
  const pods = (await kubectl.pods()).filter(({ metadata }) => names.has(metadata.name));
  for (const { metadata } of pods) await kubectl.run('wait', '--for=delete', `pod/${metadata.name}`, '--timeout=120s');
  const currentPods = (await kubectl.pods()).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const unreadyPods = currentPods.filter((pod) => !isReady(pod));
  for (const { metadata } of unreadyPods)
    await kubectl.run('wait', '--for=condition=Ready', `pod/${metadata.name}`, '--timeout=120s');
}
