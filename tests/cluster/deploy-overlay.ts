import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { stringify } from 'yaml';
import { images } from '../../deploy/images/mains.ts';
import type { Kubectl } from './kubectl.ts';
import type { Options } from './options.ts';

/** Images of the backing servers, with the names of their air-gapped replacements. */
const STAND_INS: Readonly<Record<string, string>> = {
  postgres: 'postgres',
  mongo: 'mongo',
  redis: 'redis',
  nats: 'nats',
  'minio/minio': 'objects',
};

/** All users of this test share one IP address. */
const HIGH_LIMITS = ['RATE_LIMIT_PER_USER', 'RATE_LIMIT_PER_IP', 'RATE_LIMIT_SIGN_IN', 'RATE_LIMIT_REFRESH'];

/** A deployed overlay, with functions that change its images. */
export type Deployment = {
  base: string;
  setupToken: string;
  /** Applies all manifests with images of a tag, and waits until every Deployment is ready. */
  applyImages(tag: string): Promise<void>;
  /** Does the same, one Deployment at a time. */
  upgradeImages(tag: string): Promise<void>;
};

/** Writes the Secrets and the operator's overlay into a folder, applies everything, and waits until it is ready. */
export async function deployOverlay(kubectl: Kubectl, options: Options, folder: string): Promise<Deployment> {
  const base = `${options.url}:30080`;
  const manifests = (tag: string) => render(folder, { ...options, tag }, base);
  const initialManifests = await manifests(options.from ?? options.tag);
  if (options.load) {
    const names = builtImages(`${initialManifests}\n${await manifests(options.tag)}`);
    await execute('sh', ['-c', `${options.load} ${names.join(' ')}`]);
  }
  await kubectl.apply(extractNamespace(initialManifests));
  const setupToken = await applySecrets(kubectl, join(folder, 'secrets'), options);
  const waitForRollout = (name: string) => kubectl.run('rollout', 'status', `deployment/${name}`, '--timeout=300s');
  const applyImages = async (tag: string) => {
    await kubectl.apply(await manifests(tag));
    for (const name of await kubectl.deployments()) await waitForRollout(name);
  };
  const upgradeImages = async (tag: string) => {
    const allManifests = await manifests(tag);
    await kubectl.apply(allManifests, '--selector', 'app.kubernetes.io/component notin (service,gateway,migration)');
    for (const name of await kubectl.deployments()) {
      await kubectl.apply(allManifests, '--selector', `app.kubernetes.io/name in (${name},migrate-${name})`);
      await waitForRollout(name);
    }
  };
  await applyImages(options.from ?? options.tag);
  return { base, setupToken, applyImages, upgradeImages };
}

/** Images in the manifests that were built locally, including air-gapped replacements. */
export const builtImages = (manifests: string): string[] => [
  ...new Set([...manifests.matchAll(/\bimage: (atrium(?:-standin)?\/\S+)/g)].map(([, image = '']) => image)),
];

/** Renders an overlay as an operator would write it, based on an overlay of this repository. */
async function render(folder: string, { overlay, tag, standIns }: Options, base: string): Promise<string> {
  const overlayFolder = join(folder, 'overlay');
  await mkdir(overlayFolder, { recursive: true });
  const path = (name: string) => relative(overlayFolder, join(CHECKOUT, 'deploy', name));
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
    namespace: namespaceFor(overlay),
    resources: [path(`overlays/${overlay}`)],
    components: overlay === 'small' ? [path('components/node-port')] : [],
    images: [
      ...images.map((name) => ({ name: `atrium/${name}`, newTag: tag })),
      ...serverImages.map(([name, server]) => ({ name, newName: `atrium-standin/${server}`, newTag: '1', digest: '' })),
    ],
    configMapGenerator: [{ name: 'atrium', behavior: 'merge', literals }],
  };
  await writeFile(join(overlayFolder, 'kustomization.yaml'), stringify(kustomization));
  return execute('kubectl', ['kustomize', overlayFolder]);
}

export const namespaceFor = (overlay: Options['overlay']): string => (overlay === 'dev' ? 'atrium-dev' : 'atrium');

const extractNamespace = (manifests: string): string => {
  const namespace = manifests.split(/^---$/m).find((manifest) => /^kind: Namespace$/m.test(manifest));
  if (!namespace) throw new Error('The overlay has no namespace');
  return namespace;
};

/**
 * Applies the Secrets of `npm run secrets` and returns the setup token. FerretDB, the air-gapped replacement of
 * MongoDB, needs an authentication mechanism in its URL.
 */
async function applySecrets(kubectl: Kubectl, out: string, { standIns }: Options): Promise<string> {
  const program = ['--disable-warning=ExperimentalWarning', join(CHECKOUT, 'tools/secrets/main.ts'), 'kubernetes'];
  const generate = () => execute(process.execPath, [...program, '--namespace', kubectl.namespace, '--out', out]);
  const readSecret = async (name: string) =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(await readFile(join(out, 'values.env'), 'utf8'))?.[1] ?? '';
  await generate();
  if (standIns) {
    const address = `mongodb://atrium:${await readSecret('MONGO_PASSWORD')}@mongo:27017/atrium?authMechanism=PLAIN`;
    await appendFile(join(out, 'values.env'), `MONGO_URL=${address}\n`);
    await generate();
  }
  await kubectl.run('apply', '--server-side', '-f', out);
  return readSecret('SETUP_TOKEN');
}
