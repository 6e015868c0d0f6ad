import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { stringify } from 'yaml';
import { images } from '../../deploy/images/mains.ts';
import type { Kubectl } from './kubectl.ts';
import type { Options } from './options.ts';

/** Images of the backing servers, with their air-gapped replacements. */
const STAND_INS: Readonly<Record<string, string>> = {
  postgres: 'postgres',
  mongo: 'mongo',
  redis: 'redis',
  nats: 'nats',
  'minio/minio': 'objects',
};

/** All users of this test share one IP address. */
const HIGH_LIMITS = ['RATE_LIMIT_PER_USER', 'RATE_LIMIT_PER_IP', 'RATE_LIMIT_SIGN_IN', 'RATE_LIMIT_REFRESH'];

/** A deployed overlay, and how to change its images. */
export type Deployment = {
  base: string;
  setupToken: string;
  /** Applies all manifests with images of a tag, and waits until every Deployment is ready. */
  applyImages(tag: string): Promise<void>;
  /** The same, one Deployment at a time. */
  upgradeImages(tag: string): Promise<void>;
};

/** Writes the Secrets and the operator's overlay into a folder, applies everything, and waits until it is ready. */
export async function deployOverlay(kubectl: Kubectl, options: Options, folder: string): Promise<Deployment> {
  const base = `${options.url}:30080`;
  const manifests = (tag: string) => render(folder, { ...options, tag }, base);
  const first = await manifests(options.from ?? options.tag);
  if (options.load) {
    const names = builtImages(`${first}\n${await manifests(options.tag)}`);
    await execute('sh', ['-c', `${options.load} ${names.join(' ')}`]);
  }
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
  return { base, setupToken, applyImages, upgradeImages };
}

/** Images in the manifests that were built locally, including air-gapped replacements. */
export const builtImages = (manifests: string): string[] => [
  ...new Set([...manifests.matchAll(/\bimage: (atrium(?:-standin)?\/\S+)/g)].map(([, image = '']) => image)),
];

/** An overlay as an operator would write it, based on one of this repository. */
async function render(folder: string, { overlay, tag, standIns }: Options, base: string): Promise<string> {
  const own = join(folder, 'overlay');
  await mkdir(own, { recursive: true });
  const path = (name: string) => relative(own, join(CHECKOUT, 'deploy', name));
  const serverImages = standIns ? Object.entries(STAND_INS) : [];
  const literals = [
    `PUBLIC_URL=${base}`,
    `S3_PUBLIC_URL=${base}`,
    // The demo imports past meetings.
    'ALLOW_PAST_MEETINGS=true',
    ...HIGH_LIMITS.map((name) => `${name}=1000000`),
  ];
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: namespaceNamed(overlay),
    resources: [path(`overlays/${overlay}`)],
    components: overlay === 'small' ? [path('components/node-port')] : [],
    images: [
      ...images.map((name) => ({ name: `atrium/${name}`, newTag: tag })),
      ...serverImages.map(([name, server]) => ({ name, newName: `atrium-standin/${server}`, newTag: '1', digest: '' })),
    ],
    configMapGenerator: [{ name: 'atrium', behavior: 'merge', literals }],
  };
  await writeFile(join(own, 'kustomization.yaml'), stringify(kustomization));
  return execute('kubectl', ['kustomize', own]);
}

export const namespaceNamed = (overlay: Options['overlay']): string => (overlay === 'dev' ? 'atrium-dev' : 'atrium');

const namespaceOf = (manifests: string): string => {
  const found = manifests.split(/^---$/m).find((one) => /^kind: Namespace$/m.test(one));
  if (!found) throw new Error('The overlay has no namespace');
  return found;
};

/** Applies the Secrets of `npm run secrets`. FerretDB, which replaces MongoDB, needs an authentication mechanism. Returns the setup token. */
async function makeSecrets(kubectl: Kubectl, out: string, { standIns }: Options): Promise<string> {
  const program = ['--disable-warning=ExperimentalWarning', join(CHECKOUT, 'tools/secrets/main.ts'), 'kubernetes'];
  const make = () => execute(process.execPath, [...program, '--namespace', kubectl.namespace, '--out', out]);
  const secretOf = async (name: string) =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(await readFile(join(out, 'values.env'), 'utf8'))?.[1] ?? '';
  await make();
  if (standIns) {
    const address = `mongodb://atrium:${await secretOf('MONGO_PASSWORD')}@mongo:27017/atrium?authMechanism=PLAIN`;
    await appendFile(join(out, 'values.env'), `MONGO_URL=${address}\n`);
    await make();
  }
  await kubectl.run('apply', '--server-side', '-f', out);
  return secretOf('SETUP_TOKEN');
}
