import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs, promisify } from 'node:util';
import { CHECKOUT } from '@atrium/local/backing/toolbox';
import { waitUntil } from '@atrium/local/supervise/wait-until';
import { services } from '@atrium/local/system/services';
import { isReady, type Kubectl, openKubectl, type Pod } from './kubectl.ts';

const HELP = `npm run check:dev-loop -- [options]

Does by hand what skaffold dev does with a saved file, on the cluster that KUBECONFIG names, where the overlay dev runs: builds one
service from its sources, puts it into the place of its image, copies a changed file into its pod, and sees that this process alone
starts again, with that file. Then one that cannot be compiled, and one that mends it. What was there before comes back at the end.

  --service <name>      users unless told
  --namespace <name>    atrium-dev unless told
  --load <command>      brings images into the cluster: it is called with their names
  --node-image <name>, --build-image <name>, --network <name>     as for npm run images
`;

const WITHIN_MS = 180_000;
const READY = /"msg":"ready"/g;
const FAILED = /^Failed running /gm;
const execute = promisify(execFile);

/** What a kubectl client does for skaffold's sync: a tar of the files, unpacked where the image has its sources. */
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
    if (code !== 0) throw new Error(`${path} could not be copied: kubectl ended with ${code}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

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

/** The patch of `deploy/skaffold`, and the image. */
const fromSources = (image: string) => ({
  spec: {
    strategy: { type: 'Recreate', rollingUpdate: null },
    template: {
      spec: {
        containers: [
          {
            name: 'app',
            image,
            securityContext: { readOnlyRootFilesystem: false },
            resources: { limits: { memory: '1Gi' } },
          },
        ],
      },
    },
  },
});

async function onlyPod(kubectl: Kubectl, service: string): Promise<Pod> {
  const pods = (await kubectl.pods(service)).filter(isReady);
  const [pod, ...more] = pods;
  if (!pod || more.length > 0) throw new Error(`${service} has ${pods.length} pods that are ready; one is needed`);
  return pod;
}

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function loop(kubectl: Kubectl, service: string): Promise<void> {
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

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    service: { type: 'string', default: 'users' },
    namespace: { type: 'string', default: 'atrium-dev' },
    load: { type: 'string' },
    'node-image': { type: 'string' },
    'build-image': { type: 'string' },
    network: { type: 'string' },
  },
});
if (values.help || !services.some(({ name }) => name === values.service)) {
  print(HELP);
  process.exit(values.help ? 0 : 64);
}
const { service } = values;
const kubectl = openKubectl(values.namespace);
const image = `atrium/${service}:dev`;
const given = (['node-image', 'build-image', 'network'] as const).flatMap((name) => {
  const value = values[name];
  return value ? [`--${name}`, value] : [];
});
const build = ['deploy/images/build.ts', service, '--target', 'dev', '--tag', 'dev', ...given];
await execute(process.execPath, ['--disable-warning=ExperimentalWarning', ...build], { cwd: CHECKOUT });
if (values.load) await execute('sh', ['-c', `${values.load} ${image}`]);
const deployment = `deployment/${service}`;
const rolled = () => kubectl.run('rollout', 'status', deployment, '--timeout=180s');
await kubectl.run('patch', deployment, '--type', 'strategic', '--patch', JSON.stringify(fromSources(image)));
try {
  await rolled();
  await loop(kubectl, service);
} finally {
  await kubectl.run('rollout', 'undo', deployment);
  await rolled();
}
