import type { Logger } from '../observability/logger.ts';
import { startPollingLoop } from '../process/polling-loop.ts';
import type { Messaging } from './messaging.ts';
import { isNotFound } from './streams.ts';

const LOOK_MS = 5_000;
const AGAIN_MS = 500;

/** A consumer at work. */
export type Following = {
  /** When the stream was made that it takes from. */
  streamCreatedAt: string;
  /** Resolves once nothing more comes, whoever ended it. */
  ended: Promise<unknown>;
  close(): unknown;
};

type Options = {
  messaging: Messaging;
  stream: string;
  /**
   * Follows the stream, making it if it is not there. Called again for each that takes its place, and when following ended by itself; what
   * it was doing before has been closed by then. Leaves nothing at work where it throws.
   */
  follow: () => Promise<Following>;
  /** Resolves once what was there at first has been handed over. */
  caughtUp: Promise<void>;
  /** Called once one that took the place of another is followed. */
  onRecreated?: () => void;
  log: Logger;
};

/**
 * Follows a stream for as long as this process lives. A consumer alone would not: the client gives one up for good that it could not make
 * again after thirty tries, or that the server takes its subject from; and of a stream that is made anew, as the servers came back empty, it
 * would wait for a sequence that is reached much later. Resolves once it has caught up; rejects where the connection is closed before.
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
    const begun = await follow();
    following = begun;
    isAtWork = true;
    const end = () => {
      if (following !== begun || isClosed) return;
      isAtWork = false;
      // Not at once: what keeps ending is not to keep us busy.
      waking = setTimeout(() => loop.wake(), AGAIN_MS).unref();
    };
    begun.ended.then(end, end);
    return begun;
  };
  following = await begin();
  const loop = startPollingLoop({
    what: `the stream ${stream}`,
    intervalMs: LOOK_MS,
    retryDelayMs: AGAIN_MS,
    log,
    async round() {
      const before = following.streamCreatedAt;
      if (isAtWork && (await streamCreatedAt()) === before) return false;
      messaging.knownStreams.clear();
      isAtWork = false;
      await following.close();
      if ((await begin()).streamCreatedAt === before) {
        log.warn({ stream }, 'a stream was not followed any more, and is again');
        return false;
      }
      log.warn({ stream }, 'a stream was made anew, and is followed from its beginning');
      onRecreated?.();
      return false;
    },
  });
  const forget = messaging.onReconnect(loop.wake);
  const rest = async () => {
    isClosed = true;
    clearTimeout(waking);
    forget();
    await loop.close();
  };
  // A process that is stopped while it starts closes its connection, and would wait for ever for what comes no more.
  const lost = messaging.connection.closed().then(() => {
    throw new Error(`the connection was closed before all of the stream ${stream} had come`);
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
