import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoint } from '@atrium/proto-events/endpoint';
import { id, idParams } from '@atrium/proto-events/fields';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { createRevocations } from '@atrium/service-kit/directory/revocations';
import { AppError, unavailable } from '@atrium/service-kit/errors/app-error';
import { createTokenVerifier } from '@atrium/service-kit/http/authenticate';
import { handle, respondExisting } from '@atrium/service-kit/http/handle';
import { createHttpApp } from '@atrium/service-kit/http/http-app';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import { createSecurityLog } from '@atrium/service-kit/http/security-log';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createMetrics } from '@atrium/service-kit/observability/metrics';
import { createHealth, type HealthCheck } from '@atrium/service-kit/process/health';
import { createTestTokens } from '@atrium/test-kit/tokens';
import type { JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

const note = z.object({ _id: id, title: z.string() });
const title = z.string({ error: 'Title is required' }).trim().min(1, 'Title is required');

export const contract = {
  writeNote: endpoint({
    method: 'POST',
    path: '/notes',
    summary: 'Write a note',
    access: 'user',
    body: z.object({ title, tags: z.array(z.string({ error: 'A tag is text' })).default([]) }),
    response: note,
    status: 201,
  }),
  writeLongNote: endpoint({
    method: 'POST',
    path: '/notes/long',
    summary: 'Write a long note',
    access: 'user',
    body: z.object({ title }),
    maxBodyBytes: 100_000,
    response: note,
    status: 201,
  }),
  getNote: endpoint({
    method: 'GET',
    path: '/notes/:id',
    summary: 'Get a note',
    access: 'user',
    params: idParams,
    response: note,
    status: 200,
  }),
  getCaller: endpoint({
    method: 'GET',
    path: '/notes/mine',
    summary: 'Get the caller',
    access: 'user',
    response: z.object({ caller: z.string(), role: z.string() }),
    status: 200,
  }),
  searchNotes: endpoint({
    method: 'GET',
    path: '/notes',
    summary: 'List notes',
    access: 'public',
    query: z.object({ after: z.iso.date({ error: 'Invalid date' }).optional() }),
    response: z.array(note),
    status: 200,
  }),
  archiveNotes: endpoint({
    method: 'POST',
    path: '/notes/archive',
    summary: 'Archive notes',
    access: 'admin',
    forbiddenMessage: 'Only administrators can archive notes',
    body: z.object({ until: z.iso.date({ error: 'Invalid date' }) }),
    status: 204,
  }),
  removeNote: endpoint({
    method: 'DELETE',
    path: '/notes/:id',
    summary: 'Remove a note',
    access: 'user',
    params: idParams,
    status: 204,
  }),
  breakNote: endpoint({
    method: 'POST',
    path: '/notes/:id/break',
    summary: 'Fail in a given way',
    access: 'public',
    params: idParams,
    body: z.object({ how: z.string() }),
    response: note,
    status: 200,
  }),
};

const ID = 'a'.repeat(24);

const failures: Record<string, () => unknown> = {
  bug: () => {
    throw new TypeError('cannot read "secret" of undefined at /srv/app.ts');
  },
  database: () => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' });
  },
  unavailable: () => {
    throw unavailable('The store is unavailable');
  },
  stale: () => {
    throw new AppError('stale_version', 'This note was changed in the meantime', { current: { _id: ID, version: 2 } });
  },
  'invalid-response': () => ({ _id: 'not an id', title: 5, password: 'hunter2' }),
  'leaky-response': () => ({ _id: ID, title: 'a', passwordHash: '$argon2id$', __v: 1 }),
};

const buildRoutes = (state: { waiting: number }) => [
  handle(contract.breakNote, async ({ body }) => {
    if (body.how === 'never') {
      state.waiting += 1;
      return new Promise(() => undefined);
    }
    return failures[body.how]?.() as { _id: string; title: string };
  }),
  handle(contract.writeNote, async ({ body }, caller, exchange) => {
    if (caller.role === 'project_manager') throw new AppError('forbidden', 'Only members may write notes');
    if (body.title === 'again') respondExisting(exchange);
    if (body.title === 'digest') return { _id: ID, title: idempotencyKey(exchange.req)?.digest ?? '' };
    if (body.title === 'echo') return { _id: ID, title: JSON.stringify(body) };
    return { _id: ID, title: body.title };
  }),
  handle(contract.writeLongNote, async ({ body }) => ({ _id: ID, title: body.title })),
  handle(contract.getNote, async ({ params }) => ({ _id: params.id, title: 'one' })),
  handle(contract.getCaller, async (_request, caller) => ({ caller: caller.userId, role: caller.role })),
  handle(contract.searchNotes, async () => []),
  handle(contract.archiveNotes, async () => undefined),
  handle(contract.removeNote, async () => undefined),
];

type TestAppParams = {
  keys?: JWTVerifyGetKey;
  checks?: HealthCheck[];
  proxies?: string[];
  /** Destination of security records; none by default. */
  messaging?: Promise<Messaging>;
};

/** The HTTP side of a service with a few endpoints, on a free port, with configurable parts. */
export async function startTestApp({
  keys,
  checks = [],
  proxies = [],
  messaging = new Promise(() => undefined),
}: TestAppParams = {}) {
  const tokens = await createTestTokens();
  const directory = createDirectory();
  const revocations = createRevocations();
  const state = { overloaded: false, waiting: 0 };
  const lines: string[] = [];
  const log = createLogger('notes', 'debug', { write: (line) => void lines.push(line) });
  const app = createHttpApp({
    routes: buildRoutes(state),
    verifier: createTokenVerifier({ keys: keys ?? tokens.keys, directory, revocations }),
    health: createHealth(checks),
    log,
    metrics: createMetrics('notes'),
    overloaded: () => state.overloaded,
    securityLog: createSecurityLog({ service: 'notes', log, messaging, windowMs: 500 }),
    trustedProxies: proxies,
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    tokens,
    directory,
    revocations,
    state,
    log: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    async call(method: string, path: string, { token, body, headers = {} }: Call = {}) {
      const requestHeaders = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      };
      const response = await fetch(url + path, {
        method,
        headers: requestHeaders,
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text === '' ? undefined : tryJson(text),
      };
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

type Call = { token?: string; body?: unknown; headers?: Record<string, string> };

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
