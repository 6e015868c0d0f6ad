import { services } from '@atrium/dev-server/system/services';
import { createFaultyProxy, type FaultyProxy } from '../faulty-proxy.ts';

const TARGETS: ReadonlyMap<string, string> = new Map([
  ['DATABASE_URL', 'postgres'],
  ['NATS_URL', 'nats'],
  ['REDIS_URL', 'redis'],
  ['MONGO_URL', 'mongo'],
  ['S3_ENDPOINT', 'objects'],
  ['SMTP_URL', 'mailbox'],
  ['AUTH_JWKS_URL', 'auth'],
  ...services.map(({ name }) => [`${name.toUpperCase()}_URL`, name] as const),
]);

export type FaultyProxies = {
  env: Record<string, string>;
  to(target: string): FaultyProxy;
  close(): Promise<void>;
};

/** Starts a proxy to each server and service that a process with this environment uses, except itself. */
export async function createFaultyProxies(
  name: string,
  env: NodeJS.ProcessEnv,
  { seed = 1 } = {},
): Promise<FaultyProxies> {
  const lines = new Map<string, FaultyProxy>();
  const led: Record<string, string> = {};
  for (const [variable, target] of TARGETS) {
    const there = env[variable];
    if (there === undefined || target === name) continue;
    const line = lines.get(target) ?? (await createFaultyProxy(new URL('/', there).href, { seed: seed + lines.size }));
    lines.set(target, line);
    const { hostname, port } = new URL(line.url);
    const { href } = Object.assign(new URL(there), { hostname, port });
    led[variable] = there.endsWith('/') ? href : href.replace(/\/$/, '');
  }
  return {
    env: led,
    to(target) {
      const line = lines.get(target);
      if (!line) throw new Error(`${name} does not use ${target}`);
      return line;
    },
    async close() {
      await Promise.all([...lines.values()].map((line) => line.close()));
    },
  };
}
