import type { Logger } from '@atrium/service-kit/observability/logger';
import { Redis } from 'ioredis';

/** Redis carries what one pod has to tell the others, and who is online. All of it is hints: nothing is lost with it. */
export type RealtimeRedis = {
  prefix: string;
  commands: Redis;
  publisher: Redis;
  subscriber: Redis;
  /** Throws unless Redis answers. */
  check(): Promise<void>;
  /** True while other pods can be told something, and their answers heard. */
  talking(): boolean;
  /** True while other pods can be heard. */
  listening(): boolean;
  /** Calls the listener once whenever other pods can no longer be heard, and once when they can be heard again. */
  onConnectionChange(listener: () => void): void;
  /** Calls the listener whenever other pods can be told something and heard, and commands are taken, after one of it could not be. */
  onTalking(listener: () => void): void;
  close(): void;
};

/** Publishes under way at once; a Redis that takes no more than this loses hints rather than growing this process. */
const MAX_PUBLISHES = 10_000;

/** How often each connection is asked whether Redis is there, and how long none may be silent then: a machine that dies says nothing. */
const ASK_MS = 500;
const SILENT_MS = 2_000;

/** Connects in the background and for ever; with Redis away commands fail at once and nothing waits in a queue. */
export function openRedis(url: string, prefix: string, log: Logger): RealtimeRedis {
  const shared = {
    connectTimeout: 3_000,
    keepAlive: 10_000,
    socketTimeout: SILENT_MS,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 2_000),
  };
  const quick = { ...shared, enableOfflineQueue: false, maxRetriesPerRequest: 0 };
  const commands = new Redis(url, { ...quick, commandTimeout: 1_000 });
  const publisher = new Redis(url, quick);
  // Its few subscriptions are the one thing that waits for Redis, and is taken up again when it returns.
  const subscriber = new Subscriber(url, { ...shared, maxRetriesPerRequest: null });
  const clients = [commands, publisher, subscriber];
  const asking = setInterval(() => {
    // Without an answer the connection is given up, and whatever waits for one with it.
    for (const client of clients) if (client.status === 'ready') client.ping().catch(() => undefined);
  }, ASK_MS).unref();
  const changeListeners: (() => void)[] = [];
  const changed = () => changeListeners.forEach((listener) => void listener());
  let isConnected = false;
  let reason: Error | undefined;
  for (const client of [commands, publisher]) client.on('error', () => undefined);
  subscriber.on('error', (error) => {
    reason = error;
  });
  subscriber.on('ready', () => {
    reason = undefined;
    log.info('connected to Redis');
    isConnected = true;
    // Answered in order: by then the subscriptions are back, and what is published from now on is heard.
    subscriber.ping().then(changed, () => undefined);
  });
  const talking = () => publisher.status === 'ready' && subscriber.status === 'ready';
  subscriber.on('close', () => {
    log.warn({ err: reason }, 'no connection to Redis: other pods are not heard');
    // Every failed attempt to connect closes, too.
    if (isConnected) changed();
    isConnected = false;
  });
  return {
    prefix,
    commands,
    publisher: forgiving(publisher),
    subscriber: forgiving(subscriber),
    check: async () => {
      await commands.ping();
      if (!talking()) throw new Error('not connected');
    },
    talking,
    listening: () => subscriber.status === 'ready',
    onConnectionChange: (listener) => void changeListeners.push(listener),
    onTalking(listener) {
      const isWhole = () => clients.every(({ status }) => status === 'ready');
      for (const client of clients) client.on('ready', () => isWhole() && listener());
    },
    close() {
      clearInterval(asking);
      for (const client of clients) {
        client.removeAllListeners('close');
        client.disconnect();
      }
    },
  };
}

/**
 * Handles the rejections that ioredis drops: it subscribes again by itself after each reconnect, and where the connection is closed
 * before Redis answers, the unhandled rejection would end the process.
 */
class Subscriber extends Redis {
  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    const answer = super.sendCommand(...given);
    if (answer instanceof Promise) answer.catch(() => undefined);
    return answer;
  }
}

/** The adapter drops the promises of its commands; a rejected one would end the process. */
function forgiving(client: Redis): Redis {
  let publishes = 0;
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (name === 'publish' && (target.status !== 'ready' || publishes >= MAX_PUBLISHES)) return Promise.resolve(0);
        const result: unknown = Reflect.apply(member, target, given);
        if (!(result instanceof Promise)) return result;
        publishes += 1;
        return result
          .catch(() => undefined)
          .finally(() => {
            publishes -= 1;
          });
      };
    },
  });
}
