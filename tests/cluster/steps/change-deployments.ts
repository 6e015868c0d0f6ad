import { isReady } from '../kubectl.ts';
import type { Place } from '../step.ts';

/** Each Deployment's pods are changed for others while people work, the gateway's last. */
export async function changeDeployments({ kubectl, office, judge }: Place): Promise<void> {
  for (const name of await kubectl.deployments()) {
    const since = performance.now();
    const before = new Set((await kubectl.pods(name)).map(({ metadata }) => metadata.name));
    await kubectl.run('rollout', 'restart', `deployment/${name}`);
    await kubectl.run('rollout', 'status', `deployment/${name}`, '--timeout=300s');
    await untilGone(kubectl, before);
    const seconds = ((performance.now() - since) / 1_000).toFixed(0);
    judge(`${name.padEnd(14)} in ${seconds} s; ${office.tell(since)}`, office.noticed(since));
  }
}

/** From the images of before to those of today, one service after another, as docs/self-hosting/kubernetes.md has it. */
export async function upgrade({ kubectl, deployment, office, options, judge }: Place): Promise<void> {
  if (options.from === undefined) return console.log('        nothing to do without --from');
  const since = performance.now();
  const pods = await kubectl.pods();
  const ours = pods.filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] !== 'backing');
  await deployment.upgradeImages(options.tag);
  await untilGone(kubectl, new Set(ours.map(({ metadata }) => metadata.name)));
  const images = (await kubectl.pods()).flatMap(({ spec }) => spec.containers.map(({ image }) => image));
  const old = images.filter((image) => image.startsWith('atrium/') && !image.endsWith(`:${options.tag}`));
  const seconds = ((performance.now() - since) / 1_000).toFixed(0);
  judge(`${options.from} to ${options.tag} in ${seconds} s; ${office.tell(since)}`, [...office.noticed(since), ...old]);
}

/** A pod that was told to stop serves on for a while, and what fails then counts. */
async function untilGone(kubectl: Place['kubectl'], names: ReadonlySet<string>): Promise<void> {
  const pods = (await kubectl.pods()).filter(({ metadata }) => names.has(metadata.name));
  for (const { metadata } of pods) await kubectl.run('wait', '--for=delete', `pod/${metadata.name}`, '--timeout=120s');
  const left = (await kubectl.pods()).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const late = left.filter((pod) => !isReady(pod));
  for (const { metadata } of late)
    await kubectl.run('wait', '--for=condition=Ready', `pod/${metadata.name}`, '--timeout=120s');
}
