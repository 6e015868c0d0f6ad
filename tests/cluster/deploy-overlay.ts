import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { CHECKOUT } from '@atrium/local/backing/toolbox';
import { services } from '@atrium/local/system/services';
import { stringify } from 'yaml';
import type { Kubectl } from './kubectl.ts';
import type { Options } from './options.ts';

const execute = promisify(execFile);

const OWN = [...services.map(({ name }) => name), 'gateway', 'mailbox'];
/** Images of the backing servers, and the stand-ins of places without a registry. */
const STAND_INS: Readonly<Record<string, string>> = {
  postgres: 'postgres',
  mongo: 'mongo',
  redis: 'redis',
  nats: 'nats',
  'minio/minio': 'objects',
};
const standIn = (server: string) => `atrium-standin/${server}`;

/** So many people and calls come from one address here. */
const PLENTY = ['RATE_LIMIT_USER', 'RATE_LIMIT_ADDRESS', 'RATE_LIMIT_SIGN_IN', 'RATE_LIMIT_REFRESH'];

/** What is deployed, and how to deploy other images of it. */
export type Deployment = {
  base: string;
  setupToken: string;
  /** Applies everything with images of that tag; answers when every Deployment has them and is ready. */
  applyImages(tag: string): Promise<void>;
  /** The same, one Deployment after another. */
  upgradeImages(tag: string): Promise<void>;
  remove(): Promise<void>;
};

/** Secrets, and what the overlay leaves to the operator; then everything is applied and waited for. */
export async function deployOverlay(kubectl: Kubectl, options: Options): Promise<Deployment> {
  await refuseExisting(kubectl);
  const folder = await mkdtemp(join(tmpdir(), 'atrium-cluster-'));
  const base = `${options.url}:30080`;
  if (options.load) await loadImages(options.load, options);
  const manifests = (tag: string) => render(folder, { ...options, tag }, base);
  const first = await manifests(options.from ?? options.tag);
  await kubectl.apply(namespaceOf(first));
  const setupToken = await makeSecrets(kubectl, join(folder, 'secrets'), options);
  const untilRolled = (name: string) => kubectl.run('rollout', 'status', `deployment/${name}`, '--timeout=300s');
  const applyImages = async (tag: string) => {
    await kubectl.apply(await manifests(tag));
    for (const name of await kubectl.deployments()) await untilRolled(name);
  };
  const upgradeImages = async (tag: string) => {
    const all = await manifests(tag);
    await kubectl.apply(all, '--selector', 'app.kubernetes.io/component notin (service,gateway,migration)');
    for (const name of await kubectl.deployments()) {
      await kubectl.apply(all, '--selector', `app.kubernetes.io/name in (${name},migrate-${name})`);
      await untilRolled(name);
    }
  };
  await applyImages(options.from ?? options.tag);
  return {
    base,
    setupToken,
    applyImages,
    upgradeImages,
    async remove() {
      await kubectl.run('delete', 'namespace', kubectl.namespace, '--wait=true');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Somebody may work there: everything of it would get other secrets, and be deleted at the end. */
async function refuseExisting({ namespace, run }: Kubectl): Promise<void> {
  const found = await run('get', 'namespace', namespace, '--ignore-not-found', '--output', 'name');
  if (found.trim() !== '')
    throw new Error(`The namespace ${namespace} exists. This check makes one of its own and deletes it.`);
}

async function loadImages(command: string, { tag, from, standIns }: Options): Promise<void> {
  const tags = [tag, ...(from ? [from] : [])];
  const names = [
    ...OWN.flatMap((name) => tags.map((one) => `atrium/${name}:${one}`)),
    ...(standIns ? Object.values(STAND_INS).map((server) => `${standIn(server)}:1`) : []),
  ];
  await execute('sh', ['-c', `${command} ${names.join(' ')}`], { maxBuffer: 64 * 1024 * 1024 });
}

/** What an operator would write: an overlay of their own over ours. */
async function render(folder: string, { overlay, tag, standIns }: Options, base: string): Promise<string> {
  const own = join(folder, 'overlay');
  await mkdir(own, { recursive: true });
  const path = (name: string) => relative(own, join(CHECKOUT, 'deploy', name));
  const images = [
    ...OWN.map((name) => ({ name: `atrium/${name}`, newTag: tag })),
    ...(standIns
      ? Object.entries(STAND_INS).map(([name, server]) => ({ name, newName: standIn(server), newTag: '1', digest: '' }))
      : []),
  ];
  const literals = [
    `PUBLIC_URL=${base}`,
    `S3_PUBLIC_URL=${base}`,
    // The demo's past meetings are written the way an old calendar is imported.
    'ALLOW_PAST_MEETINGS=true',
    ...PLENTY.map((name) => `${name}=1000000`),
  ];
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: namespaceNamed(overlay),
    resources: [path(`overlays/${overlay}`)],
    components: overlay === 'small' ? [path('components/node-port')] : [],
    images,
    configMapGenerator: [{ name: 'atrium', behavior: 'merge', literals }],
  };
  await writeFile(join(own, 'kustomization.yaml'), stringify(kustomization));
  const { stdout } = await execute('kubectl', ['kustomize', own], { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

export const namespaceNamed = (overlay: Options['overlay']): string => (overlay === 'dev' ? 'atrium-dev' : 'atrium');

const namespaceOf = (manifests: string): string => {
  const found = manifests.split(/^---$/m).find((one) => /^kind: Namespace$/m.test(one));
  if (!found) throw new Error('the overlay has no namespace');
  return found;
};

/** Those of `npm run secrets`; FerretDB, which stands in for MongoDB, wants to be told how somebody signs in. Answers the set-up token. */
async function makeSecrets(kubectl: Kubectl, out: string, { standIns }: Options): Promise<string> {
  const make = () =>
    execute(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      join(CHECKOUT, 'tools/secrets/main.ts'),
      'kubernetes',
      '--namespace',
      kubectl.namespace,
      '--out',
      out,
    ]);
  const secretOf = async (name: string) =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(await readFile(join(out, 'values.env'), 'utf8'))?.[1] ?? '';
  await make();
  if (standIns) {
    const address = `mongodb://atrium:${await secretOf('MONGO_PASSWORD')}@mongo:27017/atrium?authMechanism=PLAIN`;
    await appendFile(join(out, 'values.env'), `MONGO_URL=${address}\n`);
    await make();
  }
  await kubectl.run('apply', '-f', out);
  return secretOf('SETUP_TOKEN');
}
