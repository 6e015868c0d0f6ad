import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPorts } from '../../process-manager/ports.ts';
import { createGuard, type Guard } from '../../process-manager/reaper-client.ts';
import { createSecrets } from '../../process-manager/secrets.ts';
import type { BackingServer, LauncherContext, Program } from '../server.ts';
import { postgres } from '../servers/postgres.ts';
import { startBacking } from '../start-backing.ts';
import { startFirstAvailable } from './find-program.ts';
import { goBuild } from './go-build.ts';
import { onPath } from './on-path.ts';

let folder: string;
let said: string[];
let guard: Guard;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-ways-'));
  mkdirSync(join(folder, 'bin'));
  said = [];
  guard = createGuard();
});
afterEach(async () => {
  await guard.close();
  rmSync(folder, { recursive: true });
});

/** A machine with nothing but what a test puts on its PATH. */
const toolbox = (path = join(folder, 'bin')): LauncherContext => ({
  env: { PATH: path },
  home: folder,
  cache: join(folder, 'cache'),
  ports: createPorts(join(folder, 'ports.json')),
  secrets: createSecrets(join(folder, 'secrets.json')),
  guard,
  listener: { line: () => undefined, say: (name, text) => said.push(`${name}: ${text}`) },
  durable: false,
  address: () => Promise.reject(new Error('there is none')),
});

const program = (name: string, script: string): string => {
  const file = join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
};

describe('a program on the PATH', () => {
  const way = onPath({ names: ['postgres'], least: '16', beside: ['initdb'] });

  it('is used when it is new enough', async () => {
    const file = program('postgres', 'echo "postgres (PostgreSQL) 16.2"');
    program('initdb', '');
    expect(await way(toolbox())).toEqual({ way: 'on the PATH', file, version: '16.2' });
  });

  it('is refused with its version when it is too old', async () => {
    const file = program('postgres', 'echo "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"');
    program('initdb', '');
    expect(await way(toolbox())).toEqual({
      way: 'on the PATH',
      why: `${file} is version 15.18, at least 16 is needed`,
    });
  });

  it('that does several things is started by the name under which it was found', async () => {
    const many = program('redis-check-rdb', 'echo "$(basename "$0") v=8.2.3"; [ "$(basename "$0")" = redis-server ]');
    const file = join(folder, 'bin', 'redis-server');
    symlinkSync(many, file);
    const found = await onPath({ names: ['redis-server'], least: '6.2' })(toolbox());
    expect(found).toEqual({ way: 'on the PATH', file, version: '8.2.3' });
  });

  it('compares versions by number, not by letter', async () => {
    program('nats-server', 'echo "nats-server: v2.9.25"');
    const nats = onPath({ names: ['nats-server'], least: '2.10' });
    expect(await nats(toolbox())).toHaveProperty('why');
    program('nats-server', 'echo "nats-server: v2.10.0"');
    expect(await nats(toolbox())).toHaveProperty('version', '2.10.0');
  });

  it('is refused when it does not run, when its helper is missing and when it is not there', async () => {
    expect(await way(toolbox())).toEqual({ way: 'on the PATH', why: 'no postgres there' });
    program('postgres', 'echo "postgres (PostgreSQL) 17.1"');
    expect(await way(toolbox())).toHaveProperty('why', expect.stringContaining('has no initdb beside it'));
    program('initdb', '');
    program('postgres', 'exit 1');
    expect(await way(toolbox())).toHaveProperty('why', expect.stringContaining('does not run here'));
  });
});

describe('a build with Go', () => {
  const way = goBuild({ server: 'mongo', folder: 'ferretdb', module: 'github.com/FerretDB/FerretDB', target: '.' });
  // Stands in for the compiler: counts its calls and writes the file that is asked for by `-o`.
  const fakeGo = (work: string) =>
    program('go', `echo called >> ${folder}/calls\nwhile [ "$1" != "-o" ]; do shift; done\n${work}`);
  const calls = () =>
    existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').split('\n').length - 1 : 0;
  const box = () => toolbox(`${join(folder, 'bin')}:/usr/bin:/bin`);

  it('happens once, however many ask for it at the same time', async () => {
    fakeGo('sleep 0.5; echo program > "$2"');
    const found = await Promise.all([way(box()), way(box()), way(box())]);
    expect(new Set(found.map((one) => 'file' in one && one.file)).size).toBe(1);
    expect(found[0]).toMatchObject({ way: 'built with Go', version: '1.24.2' });
    expect(calls()).toBe(1);
    await way(box());
    expect(calls()).toBe(1);
  });

  it('leaves nothing in the cache when it fails, and says what Go said', async () => {
    fakeGo('echo half > "$2"; echo "go: cannot reach the proxy" >&2; exit 1');
    expect(await way(box())).toEqual({ way: 'built with Go', why: 'go: cannot reach the proxy' });
    expect(readdirSync(join(folder, 'cache', 'bin'))).toEqual([]);
  });

  it('is not open without Go', async () => {
    expect(await way(toolbox())).toEqual({ way: 'built with Go', why: 'no go on the PATH to build it with' });
  });
});

describe('the ways to get a server', () => {
  const server = (ways: BackingServer['ways']): BackingServer => ({ ...postgres, ways });
  const refuse = (way: string, why: string) => async () => ({ way, why });

  it('are tried in their order, with a word about one that is there and too old', async () => {
    const found = await startFirstAvailable(
      server([
        refuse('on the PATH', '/usr/bin/postgres is version 15.18, at least 16 is needed'),
        async () => ({ way: 'from npm', file: '/there', version: '18.4' }),
        () => Promise.reject(new Error('must not be asked')),
      ]),
      toolbox(),
      async (program) => program,
    );
    expect(found.file).toBe('/there');
    expect(said).toEqual(['postgres: /usr/bin/postgres is version 15.18, at least 16 is needed; going on without it']);
  });

  it('are all named when none is open', async () => {
    const nothing = server([
      refuse('on the PATH', 'no postgres there'),
      refuse('in a container', 'no Docker engine answers'),
    ]);
    await expect(startFirstAvailable(nothing, toolbox(), async () => undefined)).rejects.toThrow(
      [
        'PostgreSQL 16 or newer is not to be had on this machine. Any one of these would do:',
        '  - in the environment: POSTGRES_URL, with a role that may create databases, pointing at one that runs',
        '  - on the PATH: no postgres there',
        '  - in a container: no Docker engine answers',
      ].join('\n'),
    );
  });

  it('go on to the next where what was found does not run, with a word', async () => {
    const open = (file: string) => async () => ({ way: 'on the PATH' as const, file, version: '18.4' });
    const run = (file: string) => (file === '/broken' ? Promise.reject(new Error('no ICU')) : Promise.resolve(file));
    const ran = await startFirstAvailable(server([open('/broken'), open('/good')]), toolbox(), ({ file }) => run(file));
    expect(ran).toBe('/good');
    expect(said).toEqual(['postgres: /broken does not run here; going on without it: no ICU']);
    const none = startFirstAvailable(server([open('/broken')]), toolbox(), ({ file }) => run(file));
    await expect(none).rejects.toThrow('  - on the PATH: no ICU');
  });

  it('do not leave data behind for an empty container', async () => {
    mkdirSync(join(folder, 'postgres-18', 'base'), { recursive: true });
    const contained = async () =>
      ({ way: 'in a container', file: '/usr/bin/docker', image: 'postgres:18', version: '18' }) as const;
    await expect(startFirstAvailable(server([contained]), toolbox(), async () => undefined)).rejects.toThrow(
      `  - in a container: the data of earlier starts is in ${join(folder, 'postgres-18')}`,
    );
  });

  it('stay where the data of earlier starts is: a container, a folder, a version of PostgreSQL', async () => {
    const lasting = { ...toolbox(), durable: true };
    const found = (program: Partial<Program>) =>
      server([async () => ({ way: 'on the PATH', file: '/there', version: '18.4', ...program })]);
    const run = async ({ version }: Program) => version;
    const contained = { way: 'in a container', image: 'postgres:18', version: '18' } as const;
    await startFirstAvailable(found(contained), lasting, run);
    await expect(startFirstAvailable(found({}), lasting, run)).rejects.toThrow(
      [
        '  - on the PATH: the data of earlier starts is in a volume of Docker, as PostgreSQL 18 keeps it',
        '`npm start -- --reset` begins anew, without that data.',
      ].join('\n'),
    );
    expect(await startFirstAvailable(found({ ...contained, version: '18.6' }), lasting, run)).toBe('18.6');
    await expect(startFirstAvailable(found({ ...contained, version: '19.1' }), lasting, run)).rejects.toThrow(
      'in a container: the data of earlier starts is in a volume of Docker, as PostgreSQL 18 keeps it',
    );
    // A test run has no data to lose.
    expect(await startFirstAvailable(found({}), { ...lasting, durable: false }, run)).toBe('18.4');
  });

  it('begin with a URL in the environment, which must answer', async () => {
    const env = { REDIS_URL: 'redis://127.0.0.1:1' };
    await expect(startBacking({ ...toolbox(), env }, ['redis'])).rejects.toThrow(
      /Redis 6.2 or newer does not answer at the address given by REDIS_URL/,
    );
  });
});
