import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execute, runInteractive } from '@atrium/dev-server/process-manager/execute';
import { images } from './mains.ts';

const ROOT = join(import.meta.dirname, '../..');
const STAND_INS = ['node', 'build', 'postgres', 'mongo', 'redis', 'nats', 'objects'];

const HELP = `npm run build:images [-- options] [image ...]

Builds the images atrium/<image> with deploy/images/Dockerfile: ${images.join(', ')}. Builds all of them by default.

  --tag <tag>          default 0.9.0
  --target <target>    dev: runs sources and restarts when they change, for skaffold
  --node-image <name>  the base image of the runtime, if the official one is unavailable
  --build-image <name> the base image of builds; by default the same. Use it if npm needs your own settings
  --network <name>     the network of build steps, as for docker build
  --stand-ins          builds atrium-standin/<server> instead, which replace the official images of Node and the backing
                       servers, from Debian packages (debootstrap) and the programs that npm start uses; requires root
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    tag: { type: 'string', default: '0.9.0' },
    target: { type: 'string' },
    'node-image': { type: 'string' },
    'build-image': { type: 'string' },
    network: { type: 'string' },
    'stand-ins': { type: 'boolean', default: false },
  },
});

const network = values.network ? ['--network', values.network] : [];

async function buildStandIns(): Promise<void> {
  const { prepareStandIns } = await import('./air-gapped/prepare.ts');
  const folder = await mkdtemp(join(tmpdir(), 'atrium-stand-ins-'));
  try {
    await prepareStandIns(folder);
    for (const name of STAND_INS)
      await runInteractive('docker', [
        'build',
        '--quiet',
        ...network,
        '--target',
        name,
        '-t',
        `atrium-standin/${name}:1`,
        folder,
      ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildImages(names: readonly string[]): Promise<void> {
  const git = async (...args: string[]) => (await execute('git', ['-C', ROOT, ...args])).trim();
  const revision = await git('rev-parse', 'HEAD');
  const buildArgs = {
    NODE_IMAGE: values['node-image'],
    BUILD_IMAGE: values['build-image'] ?? values['node-image'],
    VERSION: values.tag,
    REVISION: (await git('status', '--porcelain')) === '' ? revision : `${revision}-changed`,
    // The time of the commit, not of the build, because the same commit must produce the same bytes.
    SOURCE_DATE_EPOCH: await git('log', '-1', '--format=%ct'),
  };
  const sharedArgs = Object.entries(buildArgs).flatMap(([name, value]) =>
    value ? ['--build-arg', `${name}=${value}`] : [],
  );
  for (const name of names) {
    const target = values.target ?? (name === 'gateway' ? 'gateway' : 'service');
    const imageArgs = ['--target', target, '--build-arg', `SERVICE=${name}`, '-t', `atrium/${name}:${values.tag}`];
    const file = join(ROOT, 'deploy/images/Dockerfile');
    console.log(`atrium/${name}:${values.tag}`);
    await runInteractive('docker', ['build', '--quiet', ...network, '-f', file, ...sharedArgs, ...imageArgs, ROOT]);
  }
}

const unknown = positionals.filter((name) => !images.includes(name));
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `Unknown image: ${unknown.join(', ')}\n\n${HELP}` : HELP);
  process.exitCode = values.help ? 0 : 64;
} else if (values['stand-ins']) await buildStandIns();
else await buildImages(positionals.length > 0 ? positionals : images);
