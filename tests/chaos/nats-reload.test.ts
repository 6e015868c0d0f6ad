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
// Where nothing of NATS is here yet, it is fetched or built first.
const START_MS = 300_000;
const LEFT_AS_IT_WAS = /has not taken its new configuration/;

const said: string[] = [];
const listener = { line: (_name: string, line: string) => void said.push(line), say: () => undefined };
const toolbox = ephemeralContext(listener);
const folder = join(toolbox.home, 'nats');
let [port, monitor, version] = [0, 0, 0];
let part: ManagedProcess | undefined;

/** Puts a file into the place of the one before, as a node does with a ConfigMap that has changed. */
async function putInPlace(users: string): Promise<void> {
  version += 1;
  const next = `..version-${version}`;
  await mkdir(join(folder, next), { recursive: true });
  const places = `host: 127.0.0.1\nport: ${port}\nhttp: "127.0.0.1:${monitor}"\npid_file: ${JSON.stringify(join(folder, 'pid'))}`;
  await writeFile(join(folder, next, 'nats.conf'), `${places}\nauthorization { users: [${users}] }\n`);
  await symlink(next, join(folder, '..next'));
  await rename(join(folder, '..next'), join(folder, '..data'));
}

const user = (name: string) => `{ user: ${name}, password: "one-of-a-test" }`;

async function letsIn(name: string): Promise<boolean> {
  const access = { user: name, pass: 'one-of-a-test', reconnect: false, timeout: 2_000 };
  const connection = await connect({ servers: `nats://127.0.0.1:${port}`, ...access }).catch(() => undefined);
  await connection?.close();
  return connection !== undefined;
}

/** The server and beside it the script, as in the pod: both in one file system, which an engine's container gets from here. */
async function start(): Promise<ManagedProcess> {
  const script = join(folder, basename(SCRIPT));
  await writeFile(script, await readFile(SCRIPT));
  const both = `nats-server --config ${folder}/..data/nats.conf & exec sh ${script} ${folder} ${folder}/pid http://127.0.0.1:${monitor}`;
  return startFirstAvailable(
    nats,
    { ...toolbox, address: () => Promise.reject(new Error('alone')) },
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
        ? { file: program.file, args: [...inContainer, 'sh', '-c', both], env: toolbox.env }
        : { file: 'sh', args: ['-c', both], env: { ...toolbox.env, PATH: await pathWith(program.file) } };
      const answers = async () => {
        if (!(await letsIn('first'))) throw new Error('not yet');
      };
      const running = new ManagedProcess(
        { name: 'nats', ...spec, answers, stopWithinMs: 10_000, failsFast: true },
        toolbox,
      );
      await running.start();
      return running;
    },
  );
}

/** A program has the name of its version here, and one in the image. */
async function pathWith(program: string): Promise<string> {
  const named = join(folder, 'bin');
  await mkdir(named, { recursive: true });
  await symlink(program, join(named, 'nats-server'));
  return `${named}:${toolbox.env.PATH}`;
}

beforeAll(async () => {
  [port, monitor] = [await toolbox.ports.of('nats'), await toolbox.ports.of('monitor')];
  await mkdir(folder, { recursive: true });
  await putInPlace(user('first'));
  part = await start();
}, START_MS);

afterAll(async () => {
  await part?.stop();
  await toolbox.guard.close();
  toolbox.ports.release();
});

it('has the server let in whom a changed file names, says what it could not read, and reads it once it can', async () => {
  expect(await letsIn('second')).toBe(false);
  await putInPlace(`${user('first')}, ${user('second')}`);
  await waitFor(() => letsIn('second'), { what: 'the second user' });
  await putInPlace(`${user('first')}, { user: `);
  await waitFor(() => said.some((line) => LEFT_AS_IT_WAS.test(line)), { what: 'a word about the file that is none' });
  expect(await letsIn('second')).toBe(true);
  await putInPlace(`${user('first')}, ${user('third')}`);
  await waitFor(() => letsIn('third'), { what: 'the third user', timeoutMs: 60_000 });
  expect(await letsIn('second')).toBe(false);
}, 120_000);
