import { getHealth } from '@atrium/proto-events/http/gateway';
import { unavailable } from '@atrium/service-kit/errors/app-error';
import { handle } from '@atrium/service-kit/http/handle';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { getUpstreamUrl, SERVICES, type Service } from '../upstream/upstreams.ts';

type ServiceHealth = { status: 'ok' | 'degraded' | 'unavailable'; latencyMs: number };
type ServicesHealth = Record<Service, ServiceHealth>;

const TIMEOUT_MS = 1_500;
const CACHE_MS = 1_000;
const partStatus = z.enum(['ok', 'unavailable']).optional();
const report = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  /** `process` is unavailable during shutdown, `sign-in` if auth's user directory is too old to sign anyone in. */
  parts: z.object({ process: partStatus, 'sign-in': partStatus }).default({}),
});

/** Responds with 503 only if no one can sign in. */
export function healthRoute(config: Config) {
  let lastCheck: { at: number; services: Promise<ServicesHealth> } | undefined;
  return handle(getHealth, async () => {
    if (!lastCheck || performance.now() - lastCheck.at > CACHE_MS)
      lastCheck = { at: performance.now(), services: checkAll(config) };
    const services = await lastCheck.services;
    if (services.auth.status === 'unavailable' || services.users.status === 'unavailable') {
      throw unavailable('Sign-in is not available right now. Please try again in a moment.');
    }
    const areAllOk = Object.values(services).every(({ status }) => status === 'ok');
    return { status: areAllOk ? ('ok' as const) : ('degraded' as const), services };
  });
}

async function checkAll(config: Config): Promise<ServicesHealth> {
  const results = await Promise.all(
    SERVICES.map(async (name) => [name, await checkService(getUpstreamUrl(name, config))] as const),
  );
  const services = Object.fromEntries(results) as ServicesHealth;
  // Chat still works without chat-files pods.
  if (config.CHAT_FILES_URL === undefined || services.chat.status !== 'ok') return services;
  const files = await checkService(getUpstreamUrl('chat-files', config));
  return files.status === 'ok' ? services : { ...services, chat: { ...services.chat, status: 'degraded' } };
}

async function checkService(url: URL): Promise<ServiceHealth> {
  const startedAt = performance.now();
  const status = await readStatus(url).catch(() => 'unavailable' as const);
  return { status, latencyMs: Math.round((performance.now() - startedAt) * 10) / 10 };
}

async function readStatus(url: URL): Promise<ServiceHealth['status']> {
  const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = report.safeParse(await response.json());
  if (!body.success || body.data.parts['sign-in'] === 'unavailable') return 'unavailable';
  if (response.ok) return body.data.status;
  // One pod is shutting down; it still serves requests.
  return body.data.parts.process === 'unavailable' ? 'degraded' : 'unavailable';
}
