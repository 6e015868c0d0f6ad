import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { waitUntil } from '@atrium/dev-server/process-manager/wait-until';
import { isReady, type Kubectl, type Pod } from '../kubectl.ts';

const TIMEOUT_MS = 180_000;
const READY = /"msg":"ready"/g;
const FAILED = /^Failed running /gm;

const count = async (kubectl: Kubectl, pod: Pod, pattern: RegExp): Promise<number> =>
  ((await kubectl.run('logs', pod.metadata.name, '-c', 'app')).match(pattern) ?? []).length;

/** Copies a file and waits for a new log line of the pod. Returns the seconds it took. */
async function copyAndWait(
  kubectl: Kubectl,
  pod: Pod,
  { path, content, pattern }: { path: string; content: string; pattern: RegExp },
): Promise<number> {
  const before = await count(kubectl, pod, pattern);
  const startedAt = performance.now();
  await copyFile(kubectl, pod, path, content);
  const hasLogged = async () => {
    if ((await count(kubectl, pod, pattern)) <= before)
      throw new Error(`${pod.metadata.name} did not log ${pattern.source}`);
  };
  await waitUntil(hasLogged, { timeoutMs: TIMEOUT_MS });
  return (performance.now() - startedAt) / 1000;
}

/** Describes the pods and the restart counts of their containers, which a copied file must not change. */
const describeRestarts = async (kubectl: Kubectl): Promise<string> =>
  (await kubectl.pods())
    .map(
      ({ metadata, status }) =>
        `${metadata.name} ${status.containerStatuses?.map((container) => container.restartCount).join()}`,
    )
    .sort()
    .join('\n');

const listPodsReadySince = async (kubectl: Kubectl, since: string, except: Pod): Promise<string[]> => {
  const others = (await kubectl.pods()).filter(({ metadata }) => metadata.name !== except.metadata.name);
  const appPods = others.filter(({ spec }) => spec.containers.some(({ name }) => name === 'app'));
  const logs = await Promise.all(
    appPods.map(async ({ metadata: { name } }) => {
      const log = await kubectl.run('logs', name, '-c', 'app', `--since-time=${since}`);
      return log.match(READY) ? [name] : [];
    }),
  );
  return logs.flat();
};

async function getOnlyPod(kubectl: Kubectl, service: string): Promise<Pod> {
  const pods = (await kubectl.pods(service)).filter(isReady);
  const [pod, ...otherPods] = pods;
  if (!pod || otherPods.length > 0) throw new Error(`${service} has ${pods.length} ready pods, expected 1`);
  return pod;
}

/** Saves a change, a syntax error, and its fix. Throws unless each save restarts only the process of the service. */
export async function saveFiles(kubectl: Kubectl, service: string, print: (line: string) => void): Promise<void> {
  const pod = await getOnlyPod(kubectl, service);
  const path = `services/${service}/src/config.ts`;
  const original = await readFile(join(CHECKOUT, path), 'utf8');
  const restartsBefore = await describeRestarts(kubectl);
  const since = new Date().toISOString();
  const changed = `${original}\n// ${since}\n`;
  const syncSeconds = await copyAndWait(kubectl, pod, { path, content: changed, pattern: READY });
  print(`${service} runs a copied file after ${syncSeconds.toFixed(1)} s`);
  const contentInPod = await kubectl.run('exec', pod.metadata.name, '-c', 'app', '--', 'cat', `/build/${path}`);
  if (contentInPod !== changed) throw new Error('The file in the pod differs');
  await copyAndWait(kubectl, pod, { path, content: `${original}\nconst broken: = 1;\n`, pattern: FAILED });
  const fixSeconds = await copyAndWait(kubectl, pod, { path, content: original, pattern: READY });
  print(`an error is logged, and its fix runs after ${fixSeconds.toFixed(1)} s`);
  const others = await listPodsReadySince(kubectl, since, pod);
  if (others.length > 0) throw new Error(`Other pods have restarted: ${others.join(', ')}`);
  if ((await describeRestarts(kubectl)) !== restartsBefore) throw new Error('A container was restarted');
  print('no other process has restarted');
}

/** Copies a file as skaffold's sync does: a tar archive, unpacked in the source folder of the image. */
async function copyFile(kubectl: Kubectl, { metadata }: Pod, path: string, content: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-sync-'));
  try {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    const pack = spawn('tar', ['-cf', '-', '-C', folder, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const unpack = ['tar', 'xmf', '-', '-C', '/build', '--no-same-owner'];
    const args = ['--namespace', kubectl.namespace, 'exec', '-i', metadata.name, '-c', 'app', '--', ...unpack];
    const child = spawn('kubectl', args, { stdio: ['pipe', 'inherit', 'inherit'] });
    const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    await pipeline(pack.stdout, child.stdin);
    const code = await ended;
    if (code !== 0) throw new Error(`Failed to copy ${path}: kubectl exited with ${code}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
