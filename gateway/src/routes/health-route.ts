import { getHealth } from '@atrium/proto-events/http/gateway';
import { unavailable } from '@atrium/service-kit/http/app-error';
import { handle } from '@atrium/service-kit/http/handle';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { addressOf, SERVICES, type Service } from '../upstream/upstreams.ts';

type Part = { status: 'ok' | 'degraded' | 'unavailable'; latencyMs: number };
type Parts = Record<Service, Part>;

const TIMEOUT_MS = 1_500;
const FRESH_MS = 1_000;
const part = z.enum(['ok', 'unavailable']).optional();
const report = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  /** `process` is missing where it is about to go, `sign-in` where what it knows of people is too old to let anybody in. */
  parts: z.object({ process: part, 'sign-in': part }).default({}),
});

/** `GET /health`: 503 only when nobody could sign in (decisions, section 1). One round of questions serves all who ask within a second. */
export function healthRoute(config: Config) {
  let last: { at: number; parts: Promise<Parts> } | undefined;
  return handle(getHealth, async () => {
    if (!last || performance.now() - last.at > FRESH_MS) last = { at: performance.now(), parts: askAll(config) };
    const parts = await last.parts;
    if (parts.auth.status === 'unavailable' || parts.users.status === 'unavailable') {
      throw unavailable('Sign-in is not available right now. Please try again in a moment.');
    }
    const allWell = Object.values(parts).every(({ status }) => status === 'ok');
    return { status: allWell ? ('ok' as const) : ('degraded' as const), services: parts };
  });
}

async function askAll(config: Config): Promise<Parts> {
  const answers = await Promise.all(SERVICES.map(async (name) => [name, await ask(addressOf(name, config))] as const));
  const parts = Object.fromEntries(answers) as Parts;
  // Without those who take in its files chat goes on, less well.
  if (config.CHAT_FILES_URL === undefined || parts.chat.status !== 'ok') return parts;
  const files = await ask(addressOf('chat-files', config));
  return files.status === 'ok' ? parts : { ...parts, chat: { ...parts.chat, status: 'degraded' } };
}

async function ask(address: URL): Promise<Part> {
  const start = performance.now();
  const status = await statusOf(address).catch(() => 'unavailable' as const);
  return { status, latencyMs: Math.round((performance.now() - start) * 10) / 10 };
}

async function statusOf(address: URL): Promise<Part['status']> {
  const answer = await fetch(new URL('/readyz', address), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = report.safeParse(await answer.json());
  if (!body.success || body.data.parts['sign-in'] === 'unavailable') return 'unavailable';
  if (answer.ok) return body.data.status;
  // One pod that goes while others stay; it serves until then.
  return body.data.parts.process === 'unavailable' ? 'degraded' : 'unavailable';
}
