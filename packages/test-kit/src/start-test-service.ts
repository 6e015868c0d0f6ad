import { type EventDefinition, type EventOf, envelope, producerOf, subjectOf } from '@atrium/proto-events/event';
import { insertPeople } from '@atrium/proto-events/insert-people';
import type { DirectoryUser } from '@atrium/proto-events/people';
import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { openDirectoryBucket, userKey } from '@atrium/service-kit/directory/follow-directory';
import {
  aggregateHeaders,
  connectMessaging,
  type Messaging,
  requireStream,
} from '@atrium/service-kit/messaging/messaging';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Overrides } from '@atrium/service-kit/service/service-context';
import type { RunningService } from '@atrium/service-kit/service/start-service';
import type { z } from 'zod';
import { assertContract } from './assert-contract.ts';
import { directDatabaseEnv, testDatabase, testNats } from './backing-servers.ts';
import { recordCoverage, recordResponse } from './coverage-records.ts';
import { queryDatabase, type Rows } from './query-database.ts';
import { createTestTokens, type TestTokens } from './tokens.ts';
import { waitFor } from './wait-for.ts';

export type TestResponse = { status: number; headers: Headers; body: unknown };

export type CallOptions = {
  as?: Pick<DirectoryUser, '_id' | 'role'>;
  /** Sent as JSON; a string is sent as is. */
  body?: unknown;
  headers?: Record<string, string>;
};

export type TestService = {
  url: string;
  /** The overrides that it was started with, to start another pod. */
  overrides: Overrides;
  tokens: TestTokens;
  env: Record<string, string>;
  running: RunningService;
  /**
   * The path is without prefix; throws if a successful response does not match its contract. Lists are returned with
   * whole users in place of references.
   */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  addToDirectory(...users: DirectoryUser[]): void;
  addProjects(...projects: DirectoryProject[]): void;
  publishUser(user: DirectoryUser): Promise<void>;
  /** Waits for a published event whose data matches. */
  waitForEvent<D extends EventDefinition>(
    event: D,
    matches?: (data: z.output<D['data']>) => boolean,
  ): Promise<EventOf<D>>;
  /** Lists published events, with those that were published again, which JetStream and consumers ignore by their id. */
  listPublished<D extends EventDefinition>(event: D, matches?: (data: z.output<D['data']>) => boolean): EventOf<D>[];
  countPublished<D extends EventDefinition>(event: D, matches?: (data: z.output<D['data']>) => boolean): number;
  /** Publishes the event `times` times (2: a redelivery) and waits until every consumer has processed it. */
  deliver<D extends EventDefinition>(
    event: D,
    data: z.input<D['data']>,
    times?: number,
    actorId?: string | null,
  ): Promise<void>;
  /** Runs a statement in the service's database, to inspect it or to simulate the passage of time. */
  query(sql: string, values?: unknown[]): Promise<Rows>;
  close(): Promise<void>;
};

/** Disables load shedding, which has its own tests and would otherwise reject requests on busy machines. */
const NO_OVERLOAD_MS = 3_600_000;

type Start = (config: Record<string, string>, overrides: Overrides) => Promise<RunningService>;

/**
 * Starts a service on real servers, with a new database and a new NATS prefix. `start` reads the environment as
 * `main.ts` does: `(env, overrides) => startService(projectsService, readConfig(env), overrides)`.
 */
export async function startTestService(
  name: string,
  start: Start,
  extraEnv: Record<string, string> = {},
): Promise<TestService> {
  const tokens = await createTestTokens();
  const [database, nats] = await Promise.all([testDatabase(name), testNats({ producers: [name] })]);
  const env = {
    PORT: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    DATABASE_URL: database,
    ...directDatabaseEnv(database),
    NATS_URL: nats.url,
    NATS_PREFIX: nats.prefix,
    ...extraEnv,
  };
  const messaging = await connectMessaging({
    access: { servers: nats.url },
    prefix: nats.prefix,
    replicas: 1,
    name: 'test',
    log: createLogger('test', 'silent'),
  });
  const deliveredIds = new Set<string>();
  const events = collectEvents(messaging, (event) => {
    if (!deliveredIds.has(event.id)) recordCoverage('event', [{ service: name, subject: subjectOf(event) }]);
  });
  const overrides: Overrides = { keys: tokens.keys, overloadMs: NO_OVERLOAD_MS };
  const running = await start(env, overrides);
  await waitFor(async () => (await fetch(`${running.url}/readyz`)).ok, { description: `${name} to be ready` });
  return {
    url: running.url,
    overrides,
    tokens,
    env,
    running,
    call: async (method, path, options) => {
      const response = await callApi(running.url, tokens, { method, path, ...options });
      recordResponse(name, { method, path }, response);
      assertContract({ service: name, method, path }, response);
      return { ...response, body: insertPeople(response.body) };
    },
    addToDirectory: (...users) => {
      for (const user of users) running.directory.putUser(user);
    },
    addProjects: (...projects) => {
      for (const project of projects) running.projects.putProject(project);
      running.projects.markComplete();
    },
    publishUser: async (user) => {
      await (await openDirectoryBucket(messaging)).put(userKey(user._id), JSON.stringify(user));
    },
    listPublished: (event, matches = () => true) => findEvents(events, event, matches),
    countPublished: (event, matches = () => true) => findEvents(events, event, matches).length,
    waitForEvent: (event, matches = () => true) =>
      waitFor(() => findEvents(events, event, matches)[0], { description: `${subjectOf(event)} to be published` }),
    deliver: (event, data, times = 1, actorId = null) => {
      const id = newId();
      deliveredIds.add(id);
      return deliver(messaging, { id, event, data, times, actorId });
    },
    query: (sql, values) => queryDatabase(database, sql, values),
    async close() {
      await running.close();
      await messaging.connection.close();
    },
  };
}

function collectEvents(
  messaging: Messaging,
  onEvent: (event: z.infer<typeof envelope>) => void,
): z.infer<typeof envelope>[] {
  const events: z.infer<typeof envelope>[] = [];
  messaging.connection.subscribe(messaging.subject('>'), {
    callback: (_error, message) => {
      try {
        const event = envelope.parse(message.json());
        events.push(event);
        onEvent(event);
      } catch {
        // Notifications of the relay and messages of JetStream have the same prefix and are not events.
      }
    },
  });
  return events;
}

function findEvents<D extends EventDefinition>(
  events: readonly z.infer<typeof envelope>[],
  definition: D,
  matches: (data: z.output<D['data']>) => boolean,
): EventOf<D>[] {
  return events.flatMap((event) => {
    if (event.type !== definition.type || event.version !== definition.version) return [];
    const data = definition.data.parse(event.data) as z.output<D['data']>;
    return matches(data) ? [{ ...event, data }] : [];
  });
}

async function callApi(
  url: string,
  tokens: TestTokens,
  call: CallOptions & { method: string; path: string },
): Promise<TestResponse> {
  const headers = new Headers(call.headers);
  if (call.as) headers.set('authorization', `Bearer ${await tokens.sign(call.as)}`);
  if (call.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const response = await fetch(`${url}/api${call.path}`, {
    method: call.method,
    headers,
    ...(call.body !== undefined && { body: typeof call.body === 'string' ? call.body : JSON.stringify(call.body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

type DeliverParams<D extends EventDefinition> = {
  id: string;
  event: D;
  data: z.input<D['data']>;
  times: number;
  actorId: string | null;
};

async function deliver<D extends EventDefinition>(
  messaging: Messaging,
  { id, event, data, times, actorId }: DeliverParams<D>,
): Promise<void> {
  const stream = await requireStream(messaging, producerOf(event));
  const message = {
    id,
    type: event.type,
    version: event.version,
    occurredAt: new Date().toISOString(),
    actorId,
    requestId: id,
    data,
  };
  let lastSeq = 0;
  for (let delivery = 0; delivery < times; delivery += 1) {
    // Message ids are unique, so that JetStream's duplicate window does not hide the redelivery from the service.
    const ack = await messaging.js.publish(messaging.subject(subjectOf(event)), JSON.stringify(message), {
      msgID: `${id}-${delivery}`,
      // Aggregates are unique, so that events are delivered concurrently.
      headers: aggregateHeaders(id),
    });
    lastSeq = ack.seq;
  }
  await waitFor(
    () => haveAllConsumersProcessed(messaging, stream, { seq: lastSeq, subject: messaging.subject(subjectOf(event)) }),
    {
      description: `${subjectOf(event)} to be consumed`,
    },
  );
}

async function haveAllConsumersProcessed(
  messaging: Messaging,
  stream: string,
  at: { seq: number; subject: string },
): Promise<boolean> {
  for await (const consumer of messaging.manager.consumers.list(stream)) {
    const filters = consumer.config.filter_subjects ?? [consumer.config.filter_subject];
    if (consumer.config.durable_name === undefined || !filters.includes(at.subject)) continue;
    if (consumer.ack_floor.stream_seq < at.seq || consumer.num_ack_pending > 0) return false;
  }
  return true;
}
