import type { Logger } from '../observe/logger.ts';
import { startPollingLoop } from '../process/polling-loop.ts';
import type { Messaging } from './messaging.ts';
import { isNotFound } from './streams.ts';

const LOOK_MS = 5_000;
const AGAIN_MS = 500;

type Options = {
  messaging: Messaging;
  stream: string;
  /** Follows the stream from its beginning, making it if it is not there; called again for each that takes its place. */
  follow: () => Promise<{ close(): unknown }>;
  /** Called once one that took the place of another is followed. */
  onRemade?: () => void;
  log: Logger;
};

/**
 * Follows a stream also when the servers come back empty and it is made anew. A consumer alone would go on where it was: at a sequence
 * that the new stream reaches much later.
 */
export async function followStream({ messaging, stream, follow, onRemade, log }: Options) {
  const madeAt = () =>
    messaging.manager.streams.info(stream).then(
      ({ created }) => created,
      (error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      },
    );
  let following = await follow();
  let created = await madeAt();
  const loop = startPollingLoop({
    what: `the stream ${stream}`,
    everyMs: LOOK_MS,
    againMs: AGAIN_MS,
    log,
    async round() {
      const now = await madeAt();
      if (now !== undefined && now === created) return false;
      messaging.knownStreams.clear();
      const next = await follow();
      await following.close();
      following = next;
      created = await madeAt();
      log.warn({ stream }, 'a stream was made anew, and is followed from its beginning');
      onRemade?.();
      return false;
    },
  });
  const forget = messaging.onReconnect(loop.wake);
  return {
    async close() {
      forget();
      await loop.close();
      await following.close();
    },
  };
}
