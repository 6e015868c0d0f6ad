import type { Logger } from '../observability/logger.ts';
import { startPollingLoop } from '../process/polling-loop.ts';
import { isNotFound, type Messaging } from './messaging.ts';

const POLL_MS = 5_000;
const RESTART_DELAY_MS = 500;

export type Following = {
  streamCreatedAt: string;
  ended: Promise<unknown>;
  close(): unknown;
};

type Options = {
  messaging: Messaging;
  stream: string;
  /**
   * Follows the stream, creating the consumer. Called again for each recreated stream, and if the consumer ended; the
   * previous one has been closed by then. Must clean up if it throws.
   */
  follow: () => Promise<Following>;
  caughtUp: Promise<void>;
  onRecreated?: () => void;
  log: Logger;
};

/**
 * Follows a stream for the lifetime of this process. A consumer alone would not: the client abandons one after thirty
 * failed attempts to recreate it, or if the server removes its subject; and in a recreated stream it would wait for a
 * sequence that comes much later. Resolves once it has caught up; rejects if the connection is closed before.
 */
export async function followStream({ messaging, stream, follow, caughtUp, onRecreated, log }: Options) {
  const streamCreatedAt = () =>
    messaging.manager.streams.info(stream).then(
      ({ created }) => created,
      (error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      },
    );
  let following: Following;
  let isAtWork = false;
  let isClosed = false;
  let waking: NodeJS.Timeout | undefined;
  const begin = async () => {
    const started = await follow();
    following = started;
    isAtWork = true;
    const end = () => {
      if (following !== started || isClosed) return;
      isAtWork = false;
      // Delayed, so that a consumer that keeps ending does not cause a busy loop.
      waking = setTimeout(() => loop.wake(), RESTART_DELAY_MS).unref();
    };
    started.ended.then(end, end);
    return started;
  };
  following = await begin();
  const loop = startPollingLoop({
    what: `stream ${stream}`,
    intervalMs: POLL_MS,
    retryDelayMs: RESTART_DELAY_MS,
    log,
    async round() {
      const before = following.streamCreatedAt;
      if (isAtWork && (await streamCreatedAt()) === before) return false;
      messaging.knownStreams.clear();
      isAtWork = false;
      await following.close();
      if ((await begin()).streamCreatedAt === before) {
        log.warn({ stream }, 'Stream followed again after its consumer ended');
        return false;
      }
      log.warn({ stream }, 'Stream was recreated; following it from the beginning');
      onRecreated?.();
      return false;
    },
  });
  const unsubscribe = messaging.onReconnect(loop.wake);
  const rest = async () => {
    isClosed = true;
    clearTimeout(waking);
    unsubscribe();
    await loop.close();
  };
  // A process that stops during startup closes its connection, and would wait forever otherwise.
  const lost = messaging.connection.closed().then(() => {
    throw new Error(`The connection was closed before the stream ${stream} had caught up`);
  });
  try {
    await Promise.race([caughtUp, lost]);
  } catch (error) {
    await rest();
    throw error;
  }
  return {
    async close() {
      await rest();
      await following.close();
    },
  };
}
