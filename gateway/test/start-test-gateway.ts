import { createTestTokens } from '@atrium/test-kit/tokens';
import { readConfig } from '../src/config.ts';
import { type RunningGateway, startGateway } from '../src/start-gateway.ts';
import { SERVICES, type Service } from '../src/upstream/upstreams.ts';
import { sendJson, startUpstream, type Upstream } from './start-upstream.ts';

export type TestGateway = RunningGateway & {
  services: Record<Service, Upstream>;
  env: Record<string, string>;
  /** Signs an access token like the auth service. */
  sign(userId: string, lifeSeconds?: number): Promise<string>;
  /** Starts another gateway in front of the same services. */
  startAnother(overrides?: Record<string, string>): Promise<RunningGateway>;
};

/** Starts a gateway on free ports, with one small server per service; auth serves the keys of `sign`. */
export async function startTestGateway(envOverrides: Record<string, string> = {}): Promise<TestGateway> {
  const entries = await Promise.all(SERVICES.map(async (name) => [name, await startUpstream(name)] as const));
  const services = Object.fromEntries(entries) as Record<Service, Upstream>;
  const tokens = await createTestTokens();
  services.auth.respondWith((req, res) => {
    if (req.url === '/.well-known/jwks.json') sendJson(res, tokens.jwks);
    else sendJson(res, { service: 'auth', url: req.url });
  });
  const env: Record<string, string> = {
    PORT: '0',
    INTERNAL_PORT: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, services[name].url])),
    ...envOverrides,
  };
  const runningGateway = await startGateway(readConfig(env));
  const otherGateways: RunningGateway[] = [];
  return {
    ...runningGateway,
    services,
    env,
    sign: (userId, lifeSeconds = 900) => tokens.sign({ _id: userId, role: 'member' }, { lifeSeconds }),
    async startAnother(overrides = {}) {
      const other = await startGateway(readConfig({ ...env, ...overrides }));
      otherGateways.push(other);
      return other;
    },
    async close() {
      await Promise.all([runningGateway, ...otherGateways].map((gateway) => gateway.close()));
      await Promise.all(Object.values(services).map((upstream) => upstream.stop()));
    },
  };
}
