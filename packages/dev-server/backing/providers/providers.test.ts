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
import { createReaperClient, type ReaperClient } from '../../process-manager/reaper-client.ts';
import { createSecrets } from '../../process-manager/secrets.ts';
import type { BackingServer, LauncherContext, Program, ProviderId } from '../server.ts';
import { postgres } from '../servers/postgres.ts';
import { startBacking } from '../servers/start-backing.ts';
import { startFirstAvailable } from './find-program.ts';
import { goBuild } from './go-build.ts';
import { onPath } from './on-path.ts';

let folder: string;
let messages: string[];
let reaper: ReaperClient;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-providers-'));
  mkdirSync(join(folder, 'bin'));
  messages = [];
  reaper = createReaperClient();
});
afterEach(async () => {
  await reaper.close();
  rmSync(folder, { recursive: true });
});

const context = (path = join(folder, 'bin')): LauncherContext => ({
  env: { PATH: path },
  home: folder,
  cache: join(folder, 'cache'),
  ports: createPorts(join(folder, 'ports.json')),
  secrets: createSecrets(join(folder, 'secrets.json')),
  reaper,
  listener: { line: () => undefined, log: (name, text) => messages.push(`${name}: ${text}`) },
  durable: false,
  address: () => Promise.reject(new Error('no other server')),
});

const program = (name: string, script: string): string => {
  const file = join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
};

describe('onPath', () => {
  const provider = onPath({ names: ['postgres'], minVersion: '16', siblingPrograms: ['initdb'] });

  it('finds a program that is new enough', async () => {
    const file = program('postgres', 'echo "postgres (PostgreSQL) 16.2"');
    program('initdb', '');
    expect(await provider(context())).toEqual({ provider: 'path', file, version: '16.2' });
  });

  it('rejects a program that is too old, with its version', async () => {
    const file = program('postgres', 'echo "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"');
    program('initdb', '');
    expect(await provider(context())).toEqual({
      provider: 'path',
      reason: `${file} is version 15.18; version 16 or later is required`,
    });
  });

  it('starts a multi-call program by the name it was found under', async () => {
    const multiCallProgram = program(
      'redis-check-rdb',
      'echo "$(basename "$0") v=8.2.3"; [ "$(basename "$0")" = redis-server ]',
    );
    const file = join(folder, 'bin', 'redis-server');
    symlinkSync(multiCallProgram, file);
    const server = await onPath({ names: ['redis-server'], minVersion: '6.2' })(context());
    expect(server).toEqual({ provider: 'path', file, version: '8.2.3' });
  });

  it('compares versions numerically', async () => {
    program('nats-server', 'echo "nats-server: v2.9.25"');
    const nats = onPath({ names: ['nats-server'], minVersion: '2.11' });
    expect(await nats(context())).toHaveProperty('reason');
    program('nats-server', 'echo "nats-server: v2.11.0"');
    expect(await nats(context())).toHaveProperty('version', '2.11.0');
  });

  it('rejects a program that is missing, does not run, or lacks a companion program', async () => {
    expect(await provider(context())).toEqual({ provider: 'path', reason: 'postgres was not found' });
    program('postgres', 'echo "postgres (PostgreSQL) 17.1"');
    expect(await provider(context())).toHaveProperty('reason', expect.stringContaining('initdb is missing next to'));
    program('initdb', '');
    program('postgres', 'exit 1');
    expect(await provider(context())).toHaveProperty('reason', expect.stringContaining('does not run on this machine'));
  });
});

describe('goBuild', () => {
  const provider = goBuild({
    server: 'mongo',
    folder: 'ferretdb',
    module: 'github.com/FerretDB/FerretDB',
    target: '.',
  });
  // Installs a fake compiler that counts its calls, and runs `work` with the output file as `$2`.
  const fakeGo = (work: string) =>
    program('go', `echo called >> ${folder}/calls\nwhile [ "$1" != "-o" ]; do shift; done\n${work}`);
  const countCalls = () =>
    existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').split('\n').length - 1 : 0;
  const goContext = () => context(`${join(folder, 'bin')}:/usr/bin:/bin`);

  it('builds once for concurrent calls', async () => {
    fakeGo('sleep 0.5; echo program > "$2"');
    const programs = await Promise.all([provider(goContext()), provider(goContext()), provider(goContext())]);
    expect(new Set(programs.map((built) => 'file' in built && built.file)).size).toBe(1);
    expect(programs[0]).toMatchObject({ provider: 'go-build', version: '1.24.2' });
    expect(countCalls()).toBe(1);
    await provider(goContext());
    expect(countCalls()).toBe(1);
  });

  it('leaves nothing in the cache after a failure, and reports the error of Go', async () => {
    fakeGo('echo half > "$2"; echo "go: cannot reach the proxy" >&2; exit 1');
    expect(await provider(goContext())).toEqual({ provider: 'go-build', reason: 'go: cannot reach the proxy' });
    expect(readdirSync(join(folder, 'cache', 'bin'))).toEqual([]);
  });

  it('is unavailable without Go', async () => {
    expect(await provider(context())).toEqual({ provider: 'go-build', reason: 'go was not found on the PATH' });
  });
});

describe('startFirstAvailable', () => {
  const server = (providers: BackingServer['providers']): BackingServer => ({ ...postgres, providers });
  const unavailableProvider = (provider: ProviderId, reason: string) => async () => ({ provider, reason });

  it('tries providers in order, and mentions a program that is too old', async () => {
    const started = await startFirstAvailable(
      server([
        unavailableProvider('path', '/usr/bin/postgres is version 15.18; version 16 or later is required'),
        async () => ({ provider: 'npm', file: '/there', version: '18.4' }),
        () => Promise.reject(new Error('must not be called')),
      ]),
      context(),
      async (program) => program,
    );
    expect(started.file).toBe('/there');
    expect(messages).toEqual([
      'postgres: /usr/bin/postgres is version 15.18; version 16 or later is required; skipping it',
    ]);
  });

  it('lists all providers when none is available', async () => {
    const unavailableServer = server([
      unavailableProvider('path', 'postgres was not found'),
      unavailableProvider('container', 'no Docker engine responds'),
    ]);
    await expect(startFirstAvailable(unavailableServer, context(), async () => undefined)).rejects.toThrow(
      [
        'PostgreSQL 16 or newer is not available on this machine. Provide it in one of these ways:',
        '  - in the environment: a running server in POSTGRES_URL (its role must be able to create databases)',
        '  - on the PATH: postgres was not found',
        '  - in a container: no Docker engine responds',
      ].join('\n'),
    );
  });

  it('tries the next provider if a program does not run, and reports it', async () => {
    const programAt = (file: string) => async () => ({ provider: 'path' as const, file, version: '18.4' });
    const run = (file: string) => (file === '/broken' ? Promise.reject(new Error('no ICU')) : Promise.resolve(file));
    const started = await startFirstAvailable(
      server([programAt('/broken'), programAt('/good')]),
      context(),
      ({ file }) => run(file),
    );
    expect(started).toBe('/good');
    expect(messages).toEqual(['postgres: /broken does not run on this machine; skipping it: no ICU']);
    const failedStart = startFirstAvailable(server([programAt('/broken')]), context(), ({ file }) => run(file));
    await expect(failedStart).rejects.toThrow('  - on the PATH: no ICU');
  });

  it('does not replace existing data with an empty container', async () => {
    mkdirSync(join(folder, 'postgres-18', 'base'), { recursive: true });
    const container = async () =>
      ({ provider: 'container', file: '/usr/bin/docker', image: 'postgres:18', version: '18' }) as const;
    await expect(startFirstAvailable(server([container]), context(), async () => undefined)).rejects.toThrow(
      `  - in a container: the data of previous runs is in ${join(folder, 'postgres-18')}`,
    );
  });

  it('rejects a provider with a different data location or major version of PostgreSQL', async () => {
    const durableContext = { ...context(), durable: true };
    const serverWith = (program: Partial<Program>) =>
      server([async () => ({ provider: 'path', file: '/there', version: '18.4', ...program })]);
    const run = async ({ version }: Program) => version;
    const container = { provider: 'container', image: 'postgres:18', version: '18' } as const;
    await startFirstAvailable(serverWith(container), durableContext, run);
    await expect(startFirstAvailable(serverWith({}), durableContext, run)).rejects.toThrow(
      [
        '  - on the PATH: the data of previous runs is in a Docker volume, in the format of PostgreSQL 18',
        'To start over without that data, run `npm start -- --reset`.',
      ].join('\n'),
    );
    expect(await startFirstAvailable(serverWith({ ...container, version: '18.6' }), durableContext, run)).toBe('18.6');
    await expect(
      startFirstAvailable(serverWith({ ...container, version: '19.1' }), durableContext, run),
    ).rejects.toThrow(
      'in a container: the data of previous runs is in a Docker volume, in the format of PostgreSQL 18',
    );
    // A test run has no data to lose.
    expect(await startFirstAvailable(serverWith({}), { ...durableContext, durable: false }, run)).toBe('18.4');
  });

  it('uses a URL in the environment first, and fails if that server does not respond', async () => {
    const env = { REDIS_URL: 'redis://127.0.0.1:1' };
    await expect(startBacking({ ...context(), env }, ['redis'])).rejects.toThrow(
      /Redis 6.2 or newer does not respond at the address in REDIS_URL/,
    );
  });
});
