import type { Logger } from '@atrium/service-kit/observability/logger';
import { Redis } from 'ioredis';

/** Losing Redis loses presence, and events for the sockets of other pods, which browsers catch up on. */
export type RedisClients = {
  prefix: string;
  commands: Redis;
  publisher: Redis;
  subscriber: Redis;
  check(): Promise<void>;
  isConnected(): boolean;
  onConnected(listener: () => void): void;
  close(): void;
};

/** Further events are dropped while this many are in flight, so that a slow Redis does not exhaust memory. */
const MAX_PUBLISHES = 10_000;

/** Pings detect a machine that disappeared without closing its connections. */
const PING_INTERVAL_MS = 500;
const SOCKET_TIMEOUT_MS = 2_000;

/** Without Redis, commands fail immediately instead of queueing. */
export function openRedis(url: string, prefix: string, log: Logger): RedisClients {
  const sharedOptions = {
    connectTimeout: 3_000,
    keepAlive: 10_000,
    socketTimeout: SOCKET_TIMEOUT_MS,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 2_000),
  };
  const failFastOptions = { ...sharedOptions, enableOfflineQueue: false, maxRetriesPerRequest: 0 };
  const commands = new Redis(url, { ...failFastOptions, commandTimeout: 1_000 });
  const publisher = new Redis(url, failFastOptions);
  // Subscriptions wait for Redis, and are restored after a reconnect.
  const subscriber = new Subscriber(url, { ...sharedOptions, maxRetriesPerRequest: null });
  const clients = [commands, publisher, subscriber];
  const pingTimer = setInterval(() => {
    // A missing response times out the socket, which rejects all commands in flight.
    for (const client of clients) if (client.status === 'ready') client.ping().catch(() => undefined);
  }, PING_INTERVAL_MS).unref();
  let lastError: Error | undefined;
  for (const client of [commands, publisher]) client.on('error', () => undefined);
  subscriber.on('error', (error) => {
    lastError = error;
  });
  subscriber.on('ready', () => {
    lastError = undefined;
    log.info('Connected to Redis');
  });
  const isConnected = () => publisher.status === 'ready' && subscriber.status === 'ready';
  subscriber.on('close', () => log.warn({ err: lastError }, 'Disconnected from Redis'));
  return {
    prefix,
    commands,
    publisher: ignoreRejections(publisher),
    subscriber: ignoreRejections(subscriber),
    check: async () => {
      await commands.ping();
      if (!isConnected()) throw new Error('Not connected to Redis');
    },
    isConnected,
    onConnected(listener) {
      const isReady = () => clients.every(({ status }) => status === 'ready');
      for (const client of clients) client.on('ready', () => isReady() && listener());
    },
    close() {
      clearInterval(pingTimer);
      for (const client of clients) {
        client.removeAllListeners('close');
        client.disconnect();
      }
    },
  };
}

/** ioredis ignores rejections when it resubscribes after a reconnect; an unhandled one would end the process. */
class Subscriber extends Redis {
  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    const response = super.sendCommand(...args);
    if (response instanceof Promise) response.catch(() => undefined);
    return response;
  }
}

/** The adapter ignores the promises of its commands; an unhandled rejection would end the process. */
function ignoreRejections(client: Redis): Redis {
  let inFlightPublishes = 0;
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        if (name === 'publish' && (target.status !== 'ready' || inFlightPublishes >= MAX_PUBLISHES))
          return Promise.resolve(0);
        const result: unknown = Reflect.apply(member, target, args);
        if (!(result instanceof Promise)) return result;
        inFlightPublishes += 1;
        return result
          .catch(() => undefined)
          .finally(() => {
            inFlightPublishes -= 1;
          });
      };
    },
  });
}
