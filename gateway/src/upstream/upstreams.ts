import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Config } from '../config.ts';

export const SERVICES = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat', 'notifications'] as const;
export type Service = (typeof SERVICES)[number];

export const UPSTREAMS = [...SERVICES, 'chat-files'] as const;
export type Upstream = (typeof UPSTREAMS)[number];

/** A new resource needs a row here. */
const SERVICE_OF: ReadonlyMap<string, Service> = new Map([
  ['auth', 'auth'],
  ['users', 'users'],
  ['departments', 'users'],
  ['projects', 'projects'],
  ['tasks', 'projects'],
  ['meetings', 'meetings'],
  ['documents', 'documents'],
  ['chat', 'chat'],
  ['changes', 'chat'],
  ['activity', 'notifications'],
  ['notifications', 'notifications'],
  ['push', 'notifications'],
]);

const AUTH_USER_ROUTES = /^\/api\/users\/[^/]+\/(?:reset-link|sessions)$/;

export function findService(route: string): Service | undefined {
  if (AUTH_USER_ROUTES.test(route)) return 'auth';
  const end = route.indexOf('/', 5);
  return SERVICE_OF.get(end === -1 ? route.slice(5) : route.slice(5, end));
}

export const uploadUpstreamOf = (service: Service): Upstream => (service === 'chat' ? 'chat-files' : service);

export function getUpstreamUrl(upstream: Upstream, config: Config): URL {
  const urls: Record<Upstream, string> = {
    auth: config.AUTH_URL,
    users: config.USERS_URL,
    projects: config.PROJECTS_URL,
    meetings: config.MEETINGS_URL,
    documents: config.DOCUMENTS_URL,
    chat: config.CHAT_URL,
    'chat-files': config.CHAT_FILES_URL ?? config.CHAT_URL,
    notifications: config.NOTIFICATIONS_URL,
  };
  return new URL(urls[upstream]);
}

const MAX_SOCKETS = 512;
/** Below DRAIN_SECONDS (5 in a cluster), because a stopping pod could close a connection as a request is sent on it. */
const IDLE_TIMEOUT_MS = 4_000;

/** Keeps connections alive, because a new one per request would triple the cost of the hop. */
export function createAgent(url: URL): Agent {
  const keepAliveOptions = {
    keepAlive: true,
    timeout: IDLE_TIMEOUT_MS,
    maxFreeSockets: 128,
    scheduling: 'lifo',
  } as const;
  const options = { ...keepAliveOptions, maxSockets: MAX_SOCKETS };
  return url.protocol === 'https:' ? new TlsAgent(options) : new Agent(options);
}
