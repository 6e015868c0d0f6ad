import { services } from '@atrium/dev-server/system/services';
import { createFaultyProxy, type FaultyProxy } from '../faulty-proxy.ts';

/** Names of servers and services by the environment variable that contains their address. */
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
  /** The variables of the environment that contain addresses, with those of the proxies. */
  env: Record<string, string>;
  /** Returns the proxy to a server or service. */
  to(target: string): FaultyProxy;
  close(): Promise<void>;
};

/** Starts a proxy to each server and service that the process with this name and environment uses. */
export async function createFaultyProxies(
  name: string,
  env: NodeJS.ProcessEnv,
  { seed = 1 } = {},
): Promise<FaultyProxies> {
  const proxies = new Map<string, FaultyProxy>();
  const proxiedEnv: Record<string, string> = {};
  for (const [variable, target] of TARGETS) {
    const address = env[variable];
    if (address === undefined || target === name) continue;
    const proxy =
      proxies.get(target) ?? (await createFaultyProxy(new URL('/', address).href, { seed: seed + proxies.size }));
    proxies.set(target, proxy);
    const { hostname, port } = new URL(proxy.url);
    const { href } = Object.assign(new URL(address), { hostname, port });
    proxiedEnv[variable] = address.endsWith('/') ? href : href.replace(/\/$/, '');
  }
  return {
    env: proxiedEnv,
    to(target) {
      const proxy = proxies.get(target);
      if (!proxy) throw new Error(`${name} does not use ${target}`);
      return proxy;
    },
    async close() {
      await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    },
  };
}
