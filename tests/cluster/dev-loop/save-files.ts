import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { waitUntil } from '@atrium/dev-server/process-manager/wait-until';
import { isReady, type Kubectl, type Pod } from '../kubectl.ts';

const WITHIN_MS = 180_000;
const READY = /"msg":"ready"/g;
const FAILED = /^Failed running /gm;

const count = async (kubectl: Kubectl, pod: Pod, words: RegExp): Promise<number> =>
  ((await kubectl.run('logs', pod.metadata.name, '-c', 'app')).match(words) ?? []).length;

/** Copies a file and waits for a new log line of the pod. Returns the seconds it took. */
async function copyAndWait(
  kubectl: Kubectl,
  pod: Pod,
  { path, content, words }: { path: string; content: string; words: RegExp },
): Promise<number> {
  const before = await count(kubectl, pod, words);
  const startedAt = performance.now();
  await copyFile(kubectl, pod, path, content);
  const hasLogged = async () => {
    if ((await count(kubectl, pod, words)) <= before)
      throw new Error(`${pod.metadata.name} did not log ${words.source}`);
  };
  await waitUntil(hasLogged, { withinMs: WITHIN_MS });
  return (performance.now() - startedAt) / 1000;
}

/** The pods with the restart counts of their containers, which a copied file must not change. */
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
  const logs = await Promise.all(
    ours.map(async ({ metadata: { name } }) => {
      const log = await kubectl.run('logs', name, '-c', 'app', `--since-time=${since}`);
      return log.match(READY) ? [name] : [];
    }),
  );
  return logs.flat();
};

async function onlyPod(kubectl: Kubectl, service: string): Promise<Pod> {
  const pods = (await kubectl.pods(service)).filter(isReady);
  const [pod, ...more] = pods;
  if (!pod || more.length > 0) throw new Error(`${service} has ${pods.length} ready pods, expected 1`);
  return pod;
}

/** Saves a change, a syntax error, and its fix. Throws unless only this process restarts, each time. */
export async function saveFiles(kubectl: Kubectl, service: string, print: (line: string) => void): Promise<void> {
  const pod = await onlyPod(kubectl, service);
  const path = `services/${service}/src/config.ts`;
  const good = await readFile(join(CHECKOUT, path), 'utf8');
  const [before, since] = [await lives(kubectl), new Date().toISOString()];
  const changed = `${good}\n// ${since}\n`;
  const copied = await copyAndWait(kubectl, pod, { path, content: changed, words: READY });
  print(`${service} runs a copied file after ${copied.toFixed(1)} s`);
  const there = await kubectl.run('exec', pod.metadata.name, '-c', 'app', '--', 'cat', `/build/${path}`);
  if (there !== changed) throw new Error('The file in the pod differs');
  await copyAndWait(kubectl, pod, { path, content: `${good}\nconst broken: = 1;\n`, words: FAILED });
  const mended = await copyAndWait(kubectl, pod, { path, content: good, words: READY });
  print(`an error is logged, and its fix runs after ${mended.toFixed(1)} s`);
  const others = await readySince(kubectl, since, pod);
  if (others.length > 0) throw new Error(`Other pods have restarted: ${others.join(', ')}`);
  if ((await lives(kubectl)) !== before) throw new Error('A container was restarted');
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
