import { AppError, unavailable } from '@atrium/service-kit/errors/app-error';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import { createConnection, type Model } from 'mongoose';
import { buildIndexes } from './indexes.ts';
import { createModels, type Models } from './models.ts';
import { serializeOnFerretDb, serialUpdates } from './serial-updates.ts';
import { isDuplicate, isStoreUnavailable } from './store-unavailable.ts';

const OPTIONS = {
  bufferCommands: false,
  autoIndex: false,
  autoCreate: false,
  maxPoolSize: 10,
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 3_000,
  socketTimeoutMS: 10_000,
  heartbeatFrequencyMS: 2_000,
  // Acknowledged events must survive a crash, and by default MongoDB acknowledges before the journal is flushed. Takes
  // precedence over MONGO_URL.
  writeConcern: { w: 'majority', j: true },
} as const;

export type Store = Models & {
  /** Runs an operation on the store; throws `unavailable` while the store cannot be reached. */
  run<T>(operation: () => Promise<T>): Promise<T>;
  /** Resolves with the first connection; rejects if the process stops first. */
  connected: Promise<void>;
  /** Resolves when all indexes exist. Only operations that scan whole collections wait for it. */
  indexed: Promise<void>;
  /** Runs a query, so that the health check covers the backend of the store as well. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/** Connects in the background and reconnects indefinitely; the store may be unavailable at any time. */
export function createStore(url: string, log: Logger): Store {
  const connection = createConnection();
  connection.plugin(serialUpdates);
  const models = createModels(connection);
  const stop = new AbortController();
  const connect = async () => {
    try {
      await connection.openUri(url, OPTIONS);
      await serializeOnFerretDb(connection);
    } catch (error) {
      // The next attempt creates a new client; an open one would keep polling its servers.
      await connection.getClient()?.close();
      throw error;
    }
  };
  const connected = retryUntilDone('mongodb', connect, log, stop.signal);
  const build = () => buildIndexes(models, { url, options: OPTIONS, signal: stop.signal });
  const indexed = connected.then(() => retryUntilDone('indexes of mongodb', build, log, stop.signal));
  for (const promise of [connected, indexed]) promise.catch(() => undefined);
  connection.on('disconnected', () => {
    if (!stop.signal.aborted) log.warn('Lost connection to MongoDB');
  });
  connection.on('reconnected', () => log.info('Reconnected to MongoDB'));
  // An unhandled error event would end the process; every call reports its own failure.
  connection.on('error', () => undefined);

  const run = async <T>(operation: () => Promise<T>): Promise<T> => {
    if (connection.readyState !== 1) throw storeUnavailable();
    try {
      return await operation();
    } catch (error) {
      throw isStoreUnavailable(error) ? storeUnavailable(error) : error;
    }
  };
  return {
    ...models,
    run,
    connected,
    indexed,
    check: () => run(async () => void (await models.claims.findById('none').lean())),
    async close() {
      stop.abort();
      await indexed.catch(() => undefined);
      await connection.close();
    },
  };
}

/** Whether the error was thrown without a call because of an outage, which has been logged already. */
export const isKnownUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unavailable' && error.cause === undefined;

function storeUnavailable(cause?: unknown): AppError {
  return unavailable('Notifications are not available right now. Please try again in a moment.', cause);
}

/** A condition for one of the values. FerretDB filters several values itself, and a single one in the store. */
export const anyOf = <T>(values: readonly T[]): T | { $in: T[] } => {
  const [value, ...others] = values;
  return value !== undefined && others.length === 0 ? value : { $in: [...values] };
};

/** Inserts records with deterministic ids; existing ones are left unchanged. */
export async function insertOnce<T extends object>(model: Model<T>, records: readonly T[]): Promise<void> {
  if (records.length === 0) return;
  try {
    await model.insertMany([...records], { ordered: false, throwOnValidationError: true });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}
