import type { EventDefinition, EventOf } from '@atrium/proto-events/event';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import type { EventHandler } from '@atrium/service-kit/messaging/subscription';
import { createLogger } from '@atrium/service-kit/observability/logger';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { jest } from '@jest/globals';
import type { z } from 'zod';
import type { Deps } from '../src/deps.ts';
import { attemptDelivery } from '../src/email/attempt-delivery.ts';
import { createClaims } from '../src/email/claims.ts';
import { findDue } from '../src/email/due-emails.ts';
import type { Mailer } from '../src/email/mailer.ts';
import { queueEmails } from '../src/email/queue-emails.ts';
import { createStore } from '../src/store/store.ts';
import { collectCommands, withMonitoring } from './indexed-queries.ts';

/** The store has no transactions, and no handler uses one. */
const NO_TRANSACTION = undefined as unknown as Queryable;

/** Sets the time of a day in UTC, `HH:MM:SS`. */
export const setTime = (time: string, day = '2026-11-30') => void jest.setSystemTime(new Date(`${day}T${time}Z`));

/** The parts of the service on a real store, without its loops, so that tests decide what happens when. */
export async function startScenario() {
  const log = createLogger('test', 'silent');
  const store = createStore(withMonitoring(await testMongo('scenario')), log);
  await store.indexed;
  const commands = collectCommands(store);
  const directory = createDirectory();
  directory.confirm();
  const deps: Deps = {
    store,
    directory,
    notificationPublisher: { publish: async () => undefined, publishInBackground: () => undefined },
    recordVisit: () => undefined,
    queueEmails: (mailing) => queueEmails(store, mailing),
    senderAddress: 'atrium@example.org',
    pushSettings: { keys: [], hosts: [], subject: '', maxIdleMs: 0 },
  };
  const mailer: Mailer = {
    connections: 1,
    isReachable: async () => true,
    check: async () => undefined,
    send: async () => undefined,
    abort: () => undefined,
    close: () => undefined,
  };
  const deliveryDeps = {
    store,
    directory,
    mailer,
    log,
    claims: createClaims(store),
    countOutcome: () => undefined,
    onSettled: () => undefined,
    signal: new AbortController().signal,
    settings: {
      workspace: 'Northwind',
      publicUrl: 'https://atrium.example.org',
      domain: 'example.org',
      sealingKeys: [new Uint8Array(32)],
    },
  };
  return {
    deps,
    commands,
    /** Handles an event; `id` is that of an earlier one if it is redelivered. */
    async handle<D extends EventDefinition>(
      handlers: readonly EventHandler[],
      { event, data, actorId, id = newId() }: { event: D; data: z.input<D['data']>; actorId: string; id?: string },
    ): Promise<void> {
      const envelope = { id, type: event.type, version: event.version, actorId, requestId: id };
      const received = { ...envelope, occurredAt: new Date().toISOString(), data: event.data.parse(data) };
      for (const handler of handlers)
        if (handler.event.type === event.type) await handler.handle(received as EventOf<D>, NO_TRANSACTION);
    },
    /** Sends or withholds the emails that are due. */
    async deliverDue(): Promise<void> {
      for (const email of await findDue(store, { limit: 100, excludedAddresses: [] }))
        await attemptDelivery(email, deliveryDeps);
    },
    /** Lists the emails of a user in the order in which they were queued. */
    listEmails: (user: { _id: string }) =>
      store.emails.find({ recipientId: user._id }).sort({ createdAt: 1, _id: 1 }).lean(),
    close: () => store.close(),
  };
}
