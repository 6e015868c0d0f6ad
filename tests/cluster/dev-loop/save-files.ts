import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { waitUntil } from '@atrium/dev-server/process-manager/wait-until';
import { isReady, type Kubectl, type Pod } from '../kubectl.ts';
import { copyFile } from './copy-file.ts';

const WITHIN_MS = 180_000;
const READY = /"msg":"ready"/g;
const FAILED = /^Failed running /gm;

const count = async (kubectl: Kubectl, pod: Pod, words: RegExp): Promise<number> =>
  ((await kubectl.run('logs', pod.metadata.name, '-c', 'app')).match(words) ?? []).length;

/** Copies, and waits until the pod's log has those words once more; answers after how many seconds. */
async function copyAndWait(
  kubectl: Kubectl,
  pod: Pod,
  { path, content, words }: { path: string; content: string; words: RegExp },
): Promise<number> {
  const before = await count(kubectl, pod, words);
  const began = performance.now();
  await copyFile(kubectl, pod, path, content);
  const hasSaid = async () => {
    if ((await count(kubectl, pod, words)) <= before)
      throw new Error(`${pod.metadata.name} does not say ${words.source}`);
  };
  await waitUntil(hasSaid, { withinMs: WITHIN_MS });
  return (performance.now() - began) / 1000;
}

/** The pods with how often their containers have been started: what a copied file must not change. */
const lives = async (kubectl: Kubectl): Promise<string> =>
  (await kubectl.pods())
    .map(
      ({ metadata, status }) => `${metadata.name} ${status.containerStatuses?.map((one) => one.restartCount).join()}`,
    )
    .sort()
    .join('\n');

const readySince = async (kubectl: Kubectl, since: string, except: Pod): Promise<string[]> => {
  const others = (await kubectl.pods()).filter(({ metadata }) => metadata.name !== except.metadata.name);
  const ours = others.filter(({ spec }) => spec.containers.some(({ name }) => name === 'app'));
  const said = await Promise.all(
    ours.map(async ({ metadata: { name } }) => {
      const log = await kubectl.run('logs', name, '-c', 'app', `--since-time=${since}`);
      return log.match(READY) ? [name] : [];
    }),
  );
  return said.flat();
};

async function onlyPod(kubectl: Kubectl, service: string): Promise<Pod> {
  const pods = (await kubectl.pods(service)).filter(isReady);
  const [pod, ...more] = pods;
  if (!pod || more.length > 0) throw new Error(`${service} has ${pods.length} pods that are ready; one is needed`);
  return pod;
}

/** A change, a fault and what mends it, saved one after the other; throws where not this process alone has started again each time. */
export async function saveFiles(kubectl: Kubectl, service: string, print: (line: string) => void): Promise<void> {
  const pod = await onlyPod(kubectl, service);
  const path = `services/${service}/src/config.ts`;
  const good = await readFile(join(CHECKOUT, path), 'utf8');
  const [before, since] = [await lives(kubectl), new Date().toISOString()];
  const changed = `${good}\n// ${since}\n`;
  const copied = await copyAndWait(kubectl, pod, { path, content: changed, words: READY });
  print(`a copied file runs in ${service} after ${copied.toFixed(1)} s`);
  const there = await kubectl.run('exec', pod.metadata.name, '-c', 'app', '--', 'cat', `/build/${path}`);
  if (there !== changed) throw new Error('the pod has another file');
  await copyAndWait(kubectl, pod, { path, content: `${good}\nconst broken: = 1;\n`, words: FAILED });
  const mended = await copyAndWait(kubectl, pod, { path, content: good, words: READY });
  print(`a fault is told, and what mends it runs after ${mended.toFixed(1)} s`);
  const others = await readySince(kubectl, since, pod);
  if (others.length > 0) throw new Error(`these have started again, too: ${others.join(', ')}`);
  if ((await lives(kubectl)) !== before) throw new Error('a container was started anew');
  print('nothing else has started again');
}
