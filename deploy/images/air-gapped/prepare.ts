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

/** The user ids of the official images (PostgreSQL on Alpine, MongoDB and Redis, Node and NATS) and of Atrium's. */
const USERS = { postgres: 70, server: 999, node: 1000, atrium: 10001 };
const SUITE = 'bookworm';
const EXCLUDED_FOLDERS = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'var/cache/apt',
  'var/lib/apt/lists',
  'var/log',
];

const LISTENER = { log: (name: string, text: string) => console.log(`${name}: ${text}`), line: () => undefined };

/** Finds a program that runs in any container of this machine's architecture, whatever its path. */
async function findProgram(
  providers: readonly ServerProvider[],
  kind: Program['provider'],
  context: Omit<LauncherContext, 'address'>,
): Promise<string> {
  const address = () => Promise.reject(new Error('No server is running'));
  const reasons: string[] = [];
  for (const provider of providers) {
    const program = await provider({ ...context, address });
    if ('file' in program && program.provider === kind) return program.file;
    if ('reason' in program) reasons.push(`${program.provider}: ${program.reason}`);
  }
  throw new Error(`No program found that was ${kind}: ${reasons.join('; ')}`);
}

/** Packs Debian's minimal system with the libraries that Node needs, without documentation. */
async function packRoot(folder: string): Promise<void> {
  const root = join(folder, 'root');
  const packages = '--include=ca-certificates,libstdc++6';
  await execute('debootstrap', ['--variant=minbase', packages, SUITE, root]);
  const toLines = (toLine: (name: string, id: number) => string) =>
    Object.entries(USERS)
      .map(([name, id]) => `${toLine(name, id)}\n`)
      .join('');
  const passwd = toLines((name, id) => `${name}:x:${id}:${id}::/:/usr/sbin/nologin`);
  const group = toLines((name, id) => `${name}:x:${id}:`);
  await writeFile(join(folder, 'passwd'), (await readFile(join(root, 'etc/passwd'), 'utf8')) + passwd);
  await writeFile(join(folder, 'group'), (await readFile(join(root, 'etc/group'), 'utf8')) + group);
  const excludeArgs = EXCLUDED_FOLDERS.map((path) => `--exclude=./${path}/*`);
  await execute('tar', ['-C', root, ...excludeArgs, '--one-file-system', '-cf', join(folder, 'root.tar'), '.']);
}

/** Copies the installed npm and its trusted certificates, for builds on a base image without them. */
async function copyNpm(folder: string): Promise<void> {
  // `npm root --global` would search next to the running Node, which has no npm.
  const npm = process.env.npm_execpath ?? (await execute('sh', ['-c', 'command -v npm'])).trim();
  await cp(dirname(dirname(await realpath(npm))), join(folder, 'npm'), { recursive: true, dereference: true });
  const { NODE_EXTRA_CA_CERTS: extraFile, SSL_CERT_FILE: certFile } = process.env;
  await writeFile(
    join(folder, 'certificates.pem'),
    extraFile || certFile ? await readFile(extraFile || certFile || '') : '',
  );
}

/** Prepares the build context of the air-gapped images. */
export async function prepareStandIns(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await packRoot(folder);
  await copyNpm(folder);
  await cp(process.execPath, join(folder, 'node'));
  for (const name of ['Dockerfile', 'prefix-program.sh', 'postgres-entrypoint.sh', 'mongo-entrypoint.sh'])
    await cp(join(import.meta.dirname, name), join(folder, name));
  const context = ephemeralContext(LISTENER);
  try {
    await cp(await findProgram(nats.providers, 'go-build', context), join(folder, 'nats-server'));
    await cp(await findProgram(objects.providers, 'go-build', context), join(folder, 'minio'));
    await cp(await findProgram([minioClient], 'go-build', context), join(folder, 'mc'));
    await cp(await findProgram(mongo.providers, 'go-build', context), join(folder, 'ferretdb'));
    const program = await findProgram(postgres.providers, 'npm', context);
    await cp(dirname(dirname(program)), join(folder, 'postgres'), { recursive: true, verbatimSymlinks: true });
  } finally {
    await context.reaper.close();
    context.ports.release();
  }
}
