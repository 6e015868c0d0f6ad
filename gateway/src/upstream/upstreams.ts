import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Config } from '../config.ts';

/** The services that answer public calls. */
export const SERVICES = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat', 'notifications'] as const;
export type Service = (typeof SERVICES)[number];

/** Where requests go: the services, and the pods of chat that take in files past those with sockets. */
export const UPSTREAMS = [...SERVICES, 'chat-files'] as const;
export type Upstream = (typeof UPSTREAMS)[number];

/** Which service answers what stands behind `/api/`. A new resource of a service needs a row here. */
const SERVICE_OF: ReadonlyMap<string, Service> = new Map([
  ['auth', 'auth'],
  ['users', 'users'],
  ['departments', 'users'],
  ['projects', 'projects'],
  ['tasks', 'projects'],
  ['meetings', 'meetings'],
  ['documents', 'documents'],
  ['chat', 'chat'],
  ['activity', 'notifications'],
  ['notifications', 'notifications'],
]);

/** A person's password and sessions are the auth service's, wherever the call stands. */
const OF_AUTH = /^\/api\/users\/[^/]+\/(?:reset-link|sessions)$/;

/** The service that answers a route below `/api/`; undefined where none does. */
export function serviceOf(route: string): Service | undefined {
  if (OF_AUTH.test(route)) return 'auth';
  const end = route.indexOf('/', 5);
  return SERVICE_OF.get(end === -1 ? route.slice(5) : route.slice(5, end));
}

/** Who takes in the files of a service's calls. */
export const uploadUpstreamOf = (service: Service): Upstream => (service === 'chat' ? 'chat-files' : service);

export function addressOf(upstream: Upstream, config: Config): URL {
  const addresses: Record<Upstream, string> = {
    auth: config.AUTH_URL,
    users: config.USERS_URL,
    projects: config.PROJECTS_URL,
    meetings: config.MEETINGS_URL,
    documents: config.DOCUMENTS_URL,
    chat: config.CHAT_URL,
    'chat-files': config.CHAT_FILES_URL ?? config.CHAT_URL,
    notifications: config.NOTIFICATIONS_URL,
  };
  return new URL(addresses[upstream]);
}

const MAX_SOCKETS = 512;
/**
 * An idle connection is let go before the drain of a pod that was told to stop is over (DRAIN_SECONDS is 5 in a cluster). One that is
 * used meanwhile is closed with its answer; one that had been idle all the time would be closed by the pod, in the same moment in which
 * the next request may be on its way.
 */
const IDLE_MS = 4_000;

/** Kept-alive connections: making one for each request triples the cost of the hop (architecture, "What decides speed"). */
export function agentFor(url: URL): Agent {
  const kept = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 128, scheduling: 'lifo' } as const;
  const options = { ...kept, maxSockets: MAX_SOCKETS };
  return url.protocol === 'https:' ? new TlsAgent(options) : new Agent(options);
}
