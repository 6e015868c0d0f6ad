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
const listener = { line: (_name: string, line: string) => void logLines.push(line), say: () => undefined };
const context = ephemeralContext(listener);
const folder = join(context.home, 'nats');
let [port, monitor, version] = [0, 0, 0];
let part: ManagedProcess | undefined;

/** Replaces the file atomically, as a node does when a ConfigMap changes. */
async function replaceConfig(users: string): Promise<void> {
  version += 1;
  const next = `..version-${version}`;
  await mkdir(join(folder, next), { recursive: true });
  const places = `host: 127.0.0.1\nport: ${port}\nhttp: "127.0.0.1:${monitor}"\npid_file: ${JSON.stringify(join(folder, 'pid'))}`;
  await writeFile(join(folder, next, 'nats.conf'), `${places}\nauthorization { users: [${users}] }\n`);
  await symlink(next, join(folder, '..next'));
  await rename(join(folder, '..next'), join(folder, '..data'));
}

const user = (name: string) => `{ user: ${name}, password: "one-of-a-test" }`;

async function acceptsUser(name: string): Promise<boolean> {
  const access = { user: name, pass: 'one-of-a-test', reconnect: false, timeout: 2_000 };
  const connection = await connect({ servers: `nats://127.0.0.1:${port}`, ...access }).catch(() => undefined);
  await connection?.close();
  return connection !== undefined;
}

/** Starts the server and the script on one file system, as in the pod; an engine's container mounts the folder. */
async function start(): Promise<ManagedProcess> {
  const script = join(folder, basename(SCRIPT));
  await writeFile(script, await readFile(SCRIPT));
  const command = `nats-server --config ${folder}/..data/nats.conf & exec sh ${script} ${folder} ${folder}/pid http://127.0.0.1:${monitor}`;
  return startFirstAvailable(
    nats,
    { ...context, address: () => Promise.reject(new Error('alone')) },
    async (program) => {
      const inContainer = [
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
        ? { file: program.file, args: [...inContainer, 'sh', '-c', command], env: context.env }
        : { file: 'sh', args: ['-c', command], env: { ...context.env, PATH: await pathWith(program.file) } };
      const responses = async () => {
        if (!(await acceptsUser('first'))) throw new Error('not yet');
      };
      const running = new ManagedProcess(
        { name: 'nats', ...spec, answers: responses, stopWithinMs: 10_000, failsFast: true },
        context,
      );
      await running.start();
      return running;
    },
  );
}

/** The local program's file name contains its version; the image's does not. */
async function pathWith(program: string): Promise<string> {
  const named = join(folder, 'bin');
  await mkdir(named, { recursive: true });
  await symlink(program, join(named, 'nats-server'));
  return `${named}:${context.env.PATH}`;
}

beforeAll(async () => {
  [port, monitor] = [await context.ports.of('nats'), await context.ports.of('monitor')];
  await mkdir(folder, { recursive: true });
  await replaceConfig(user('first'));
  part = await start();
}, START_MS);

afterAll(async () => {
  await part?.stop();
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
  await waitFor(() => acceptsUser('third'), { description: 'the third user', timeoutMs: 60_000 });
  expect(await acceptsUser('second')).toBe(false);
});
