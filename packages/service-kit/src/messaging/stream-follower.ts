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
   * Creates a consumer of the stream. Called again for each recreated stream, and if the consumer has ended, after the
   * previous consumer was closed. Must clean up if it throws.
   */
  follow: () => Promise<Following>;
  caughtUp: Promise<void>;
  onRecreated?: () => void;
  log: Logger;
};

/**
 * Follows a stream for the lifetime of this process. A consumer alone is not enough: the client gives up after thirty
 * failed attempts to recreate it, or if the server removes its subject; and in a recreated stream it would wait for a
 * sequence that comes much later. Resolves once it has caught up; rejects if the connection is closed before that.
 */
export async function followStream({ messaging, stream, follow, caughtUp, onRecreated, log }: Options) {
  const readCreatedAt = () =>
    messaging.manager.streams.info(stream).then(
      ({ created }) => created,
      (error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      },
    );
  let following: Following;
  let isFollowing = false;
  let isClosed = false;
  let wakeTimer: NodeJS.Timeout | undefined;
  const startFollowing = async () => {
    const newFollowing = await follow();
    following = newFollowing;
    isFollowing = true;
    const onEnded = () => {
      if (following !== newFollowing || isClosed) return;
      isFollowing = false;
      // Delayed, so that a consumer that keeps ending does not cause a busy loop.
      wakeTimer = setTimeout(() => loop.wake(), RESTART_DELAY_MS).unref();
    };
    newFollowing.ended.then(onEnded, onEnded);
    return newFollowing;
  };
  following = await startFollowing();
  const loop = startPollingLoop({
    name: `stream ${stream}`,
    intervalMs: POLL_MS,
    retryDelayMs: RESTART_DELAY_MS,
    log,
    async round() {
      const previousCreatedAt = following.streamCreatedAt;
      if (isFollowing && (await readCreatedAt()) === previousCreatedAt) return false;
      messaging.knownStreams.clear();
      isFollowing = false;
      await following.close();
      if ((await startFollowing()).streamCreatedAt === previousCreatedAt) {
        log.warn({ stream }, 'Stream followed again after its consumer ended');
        return false;
      }
      log.warn({ stream }, 'Stream was recreated; following it from the beginning');
      onRecreated?.();
      return false;
    },
  });
  const unsubscribe = messaging.onReconnect(loop.wake);
  const stop = async () => {
    isClosed = true;
    clearTimeout(wakeTimer);
    unsubscribe();
    await loop.close();
  };
  // Otherwise a process that stops during startup, and so closes its connection, would wait forever.
  const connectionLost = messaging.connection.closed().then(() => {
    throw new Error(`The connection was closed before the stream ${stream} had caught up`);
  });
  try {
    await Promise.race([caughtUp, connectionLost]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async close() {
      await stop();
      await following.close();
    },
  };
}
