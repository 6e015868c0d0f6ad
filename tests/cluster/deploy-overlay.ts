import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { stringify } from 'yaml';
import { images } from '../../deploy/images/mains.ts';
import type { Kubectl } from './kubectl.ts';
import type { Options } from './options.ts';

/** Images of the backing servers, and the stand-ins of places without a registry. */
const STAND_INS: Readonly<Record<string, string>> = {
  postgres: 'postgres',
  mongo: 'mongo',
  redis: 'redis',
  nats: 'nats',
  'minio/minio': 'objects',
};

/** So many people and calls come from one address here. */
const PLENTY = ['RATE_LIMIT_PER_USER', 'RATE_LIMIT_PER_IP', 'RATE_LIMIT_SIGN_IN', 'RATE_LIMIT_REFRESH'];

/** What is deployed, and how to deploy other images of it. */
export type Deployment = {
  base: string;
  setupToken: string;
  /** Applies everything with images of that tag; answers when every Deployment has them and is ready. */
  applyImages(tag: string): Promise<void>;
  /** The same, one Deployment after another. */
  upgradeImages(tag: string): Promise<void>;
};

/** Secrets, and what the overlay leaves to the operator, are written into the folder; then everything is applied and waited for. */
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

/** The images of ours that manifests name, and the stand-ins: those that no registry has. */
export const builtImages = (manifests: string): string[] => [
  ...new Set([...manifests.matchAll(/\bimage: (atrium(?:-standin)?\/\S+)/g)].map(([, image = '']) => image)),
];

/** What an operator would write: an overlay of their own over ours. */
async function render(folder: string, { overlay, tag, standIns }: Options, base: string): Promise<string> {
  const own = join(folder, 'overlay');
  await mkdir(own, { recursive: true });
  const path = (name: string) => relative(own, join(CHECKOUT, 'deploy', name));
  const serverImages = standIns ? Object.entries(STAND_INS) : [];
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
  if (!found) throw new Error('the overlay has no namespace');
  return found;
};

/** Those of `npm run secrets`; FerretDB, which stands in for MongoDB, wants to be told how somebody signs in. Answers the set-up token. */
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
