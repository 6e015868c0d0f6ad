import { cp, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import type { LauncherContext, Program, ServerProvider } from '@atrium/dev-server/backing/server';
import { mongo } from '@atrium/dev-server/backing/servers/mongo';
import { nats } from '@atrium/dev-server/backing/servers/nats';
import { objects } from '@atrium/dev-server/backing/servers/objects';
import { postgres } from '@atrium/dev-server/backing/servers/postgres';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { minioClient } from '@atrium/dev-server/test-runner/external-tools';

/** User ids of the official images: PostgreSQL on Alpine, MongoDB and Redis, Node and NATS, and of Atrium. */
const USERS = { postgres: 70, server: 999, node: 1000, atrium: 10001 };
const SUITE = 'bookworm';
const NOT_NEEDED = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'var/cache/apt',
  'var/lib/apt/lists',
  'var/log',
];

const LISTENER = { log: (name: string, text: string) => console.log(`${name}: ${text}`), line: () => undefined };

/** Finds a program that runs in any container of this machine's architecture, independent of its location. */
async function find(
  ways: readonly ServerProvider[],
  kind: Program['provider'],
  context: Omit<LauncherContext, 'address'>,
): Promise<string> {
  const address = () => Promise.reject(new Error('No server is running'));
  const reasons: string[] = [];
  for (const way of ways) {
    const found = await way({ ...context, address });
    if ('file' in found && found.provider === kind) return found.file;
    if ('reason' in found) reasons.push(`${found.provider}: ${found.reason}`);
  }
  throw new Error(`No program found that was ${kind}: ${reasons.join('; ')}`);
}

/** Debian's minimal system with the libraries of Node, without documentation. */
async function packRoot(folder: string): Promise<void> {
  const root = join(folder, 'root');
  const packages = '--include=ca-certificates,libstdc++6';
  await execute('debootstrap', ['--variant=minbase', packages, SUITE, root]);
  const lines = (line: (name: string, id: number) => string) =>
    Object.entries(USERS)
      .map(([name, id]) => `${line(name, id)}\n`)
      .join('');
  const passwd = lines((name, id) => `${name}:x:${id}:${id}::/:/usr/sbin/nologin`);
  const group = lines((name, id) => `${name}:x:${id}:`);
  await writeFile(join(folder, 'passwd'), (await readFile(join(root, 'etc/passwd'), 'utf8')) + passwd);
  await writeFile(join(folder, 'group'), (await readFile(join(root, 'etc/group'), 'utf8')) + group);
  const without = NOT_NEEDED.map((path) => `--exclude=./${path}/*`);
  await execute('tar', ['-C', root, ...without, '--one-file-system', '-cf', join(folder, 'root.tar'), '.']);
}

/** Copies the installed npm and its trusted certificates, for builds on a base image without them. */
async function bringNpm(folder: string): Promise<void> {
  // Not `npm root --global`, which searches next to the running Node, which has no npm.
  const npm = process.env.npm_execpath ?? (await execute('sh', ['-c', 'command -v npm'])).trim();
  await cp(dirname(dirname(await realpath(npm))), join(folder, 'npm'), { recursive: true, dereference: true });
  const { NODE_EXTRA_CA_CERTS: own, SSL_CERT_FILE: all } = process.env;
  await writeFile(join(folder, 'certificates.pem'), own || all ? await readFile(own || all || '') : '');
}

/** Prepares the build context of the air-gapped images. */
export async function prepareStandIns(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await packRoot(folder);
  await bringNpm(folder);
  await cp(process.execPath, join(folder, 'node'));
  for (const name of ['Dockerfile', 'prefix-program.sh', 'postgres-entrypoint.sh', 'mongo-entrypoint.sh'])
    await cp(join(import.meta.dirname, name), join(folder, name));
  const context = ephemeralContext(LISTENER);
  try {
    await cp(await find(nats.providers, 'built with Go', context), join(folder, 'nats-server'));
    await cp(await find(objects.providers, 'built with Go', context), join(folder, 'minio'));
    await cp(await find([minioClient], 'built with Go', context), join(folder, 'mc'));
    await cp(await find(mongo.providers, 'built with Go', context), join(folder, 'ferretdb'));
    const program = await find(postgres.providers, 'from npm', context);
    await cp(dirname(dirname(program)), join(folder, 'postgres'), { recursive: true, verbatimSymlinks: true });
  } finally {
    await context.reaper.close();
    context.ports.release();
  }
}
