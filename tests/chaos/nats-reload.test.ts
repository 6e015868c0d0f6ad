import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CHECKOUT, ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import { startFirstAvailable } from '@atrium/dev-server/backing/providers/find-program';
import { nats } from '@atrium/dev-server/backing/servers/nats';
import { ManagedProcess } from '@atrium/dev-server/process-manager/managed-process';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';

const SCRIPT = join(CHECKOUT, 'deploy/backing/nats/reload.sh');
// Includes downloading or building NATS when it is not installed.
const START_MS = 300_000;
const RELOAD_FAILED = /rejected the new configuration/;

const logLines: string[] = [];
const listener = { line: (_name: string, line: string) => void logLines.push(line), log: () => undefined };
const context = ephemeralContext(listener);
const folder = join(context.home, 'nats');
let port = 0;
let monitorPort = 0;
let version = 0;
let server: ManagedProcess | undefined;

/** Replaces the file atomically, as a node does when a ConfigMap changes. */
async function replaceConfig(users: string): Promise<void> {
  version += 1;
  const next = `..version-${version}`;
  await mkdir(join(folder, next), { recursive: true });
  const settings = `host: 127.0.0.1\nport: ${port}\nhttp: "127.0.0.1:${monitorPort}"\npid_file: ${JSON.stringify(join(folder, 'pid'))}`;
  await writeFile(join(folder, next, 'nats.conf'), `${settings}\nauthorization { users: [${users}] }\n`);
  await symlink(next, join(folder, '..next'));
  await rename(join(folder, '..next'), join(folder, '..data'));
}

const user = (name: string) => `{ user: ${name}, password: "one-of-a-test" }`;

async function acceptsUser(name: string): Promise<boolean> {
  const credentials = { user: name, pass: 'one-of-a-test', reconnect: false, timeout: 2_000 };
  const connection = await connect({ servers: `nats://127.0.0.1:${port}`, ...credentials }).catch(() => undefined);
  await connection?.close();
  return connection !== undefined;
}

/** Starts the server and the script on one file system, as in the pod; an engine's container mounts the folder. */
async function start(): Promise<ManagedProcess> {
  const script = join(folder, basename(SCRIPT));
  await writeFile(script, await readFile(SCRIPT));
  const command = `nats-server --config ${folder}/..data/nats.conf & exec sh ${script} ${folder} ${folder}/pid http://127.0.0.1:${monitorPort}`;
  return startFirstAvailable(
    nats,
    { ...context, address: () => Promise.reject(new Error('No other server is available')) },
    async (program) => {
      const containerArgs = [
        'run',
        '--rm',
        '--init',
        '--network',
        'host',
        '-v',
        `${folder}:${folder}`,
        String(program.image),
      ];
      const spec = program.image
        ? { file: program.file, args: [...containerArgs, 'sh', '-c', command], env: context.env }
        : { file: 'sh', args: ['-c', command], env: { ...context.env, PATH: await pathWith(program.file) } };
      const checkReady = async () => {
        if (!(await acceptsUser('first'))) throw new Error('not yet');
      };
      const managedProcess = new ManagedProcess(
        { name: 'nats', ...spec, checkReady, stopTimeoutMs: 10_000, failsFast: true },
        context,
      );
      await managedProcess.start();
      return managedProcess;
    },
  );
}

/** Adds the program to the PATH under the name that the image uses; the local file name contains a version. */
async function pathWith(program: string): Promise<string> {
  const binFolder = join(folder, 'bin');
  await mkdir(binFolder, { recursive: true });
  await symlink(program, join(binFolder, 'nats-server'));
  return `${binFolder}:${context.env.PATH}`;
}

beforeAll(async () => {
  port = await context.ports.reserve('nats');
  monitorPort = await context.ports.reserve('monitor');
  await mkdir(folder, { recursive: true });
  await replaceConfig(user('first'));
  server = await start();
}, START_MS);

afterAll(async () => {
  await server?.stop();
  await context.reaper.close();
  context.ports.release();
});

it('NATS reload: the server accepts the users of a changed file, reports an unreadable file, and reloads it once it is readable', async () => {
  expect(await acceptsUser('second')).toBe(false);
  await replaceConfig(`${user('first')}, ${user('second')}`);
  await waitFor(() => acceptsUser('second'), { description: 'the second user' });
  await replaceConfig(`${user('first')}, { user: `);
  await waitFor(() => logLines.some((line) => RELOAD_FAILED.test(line)), {
    description: 'the error about the unreadable file',
  });
  expect(await acceptsUser('second')).toBe(true);
  await replaceConfig(`${user('first')}, ${user('third')}`);
  await waitFor(() => acceptsUser('third'), { description: 'the third user' });
  expect(await acceptsUser('second')).toBe(false);
});
