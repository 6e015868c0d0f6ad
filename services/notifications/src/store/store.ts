import { AppError, unavailable } from '@atrium/service-kit/http/app-error';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import { createConnection } from 'mongoose';
import { buildIndexes } from './indexes.ts';
import { createModels, type Models } from './models.ts';
import { isStoreUnavailable } from './store-unavailable.ts';

const OPTIONS = {
  bufferCommands: false,
  autoIndex: false,
  autoCreate: false,
  maxPoolSize: 10,
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 3_000,
  socketTimeoutMS: 10_000,
  heartbeatFrequencyMS: 2_000,
  // An event is acknowledged for what was written, so that has to outlive a crash: a MongoDB alone says yes before its journal is on disk.
  // It counts before what MONGO_URL asks for.
  writeConcern: { w: 'majority', j: true },
} as const;

export type Store = Models & {
  /** Runs something that needs the store; while that is away it answers `unavailable`, at once where that is known. */
  reach<T>(run: () => Promise<T>): Promise<T>;
  /** Resolves with the first connection; rejects when the process stops before. */
  connected: Promise<void>;
  /** Resolves once every index is there, which nothing waits for but what looks through all that is kept. */
  indexed: Promise<void>;
  /** Asks the store something that only its innermost part can answer. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/** The store, connected in the background for as long as it takes; it may come long after the process and go at any time. */
export function createStore(url: string, log: Logger): Store {
  const connection = createConnection();
  const models = createModels(connection);
  const stop = new AbortController();
  const connect = async () => {
    try {
      await connection.openUri(url, OPTIONS);
    } catch (error) {
      // The next attempt makes a client of its own; this one would go on asking after its servers for ever.
      await connection.getClient()?.close();
      throw error;
    }
  };
  const connected = retryUntilDone('mongodb', connect, log, stop.signal);
  const build = () => buildIndexes(models, { url, options: OPTIONS, signal: stop.signal });
  const indexed = connected.then(() => retryUntilDone('indexes of mongodb', build, log, stop.signal));
  for (const promise of [connected, indexed]) promise.catch(() => undefined);
  connection.on('disconnected', () => {
    if (!stop.signal.aborted) log.warn('the connection to MongoDB was lost; events and mails wait');
  });
  connection.on('reconnected', () => log.info('connected to MongoDB again'));
  // Without a listener a failure in the background would end the process; every call reports its own.
  connection.on('error', () => undefined);

  const reach = async <T>(run: () => Promise<T>): Promise<T> => {
    if (connection.readyState !== 1) throw storeAway();
    try {
      return await run();
    } catch (error) {
      throw isStoreUnavailable(error) ? storeAway(error) : error;
    }
  };
  return {
    ...models,
    reach,
    connected,
    indexed,
    check: () => reach(async () => void (await models.claims.findById('none').lean())),
    async close() {
      stop.abort();
      await indexed.catch(() => undefined);
      await connection.close();
    },
  };
}

/** True where the store was known to be away and nobody was asked: that has been told. */
export const isKnownAway = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unavailable' && error.cause === undefined;

function storeAway(cause?: unknown): AppError {
  return unavailable('Notifications are not available right now. Please try again in a moment.', cause);
}
