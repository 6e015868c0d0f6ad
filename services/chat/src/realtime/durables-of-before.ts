import { SHARED_BEFORE } from '@atrium/proto-events/nats-users';
import type { Messaging } from '@atrium/service-kit/messaging/messaging';
import { isNotFound } from '@atrium/service-kit/messaging/streams';

/** For how long nobody takes anything from a durable until the server lets it go, in milliseconds: pods of before may be starting again. */
const FORSAKEN_MS = 10 * 60_000;
const NANOSECONDS = 1_000_000;

/**
 * Has the durables that pods of before share end with those pods: where they come back later, they begin with what is new, and do not tell
 * browsers of everything since.
 */
export async function letGoDurablesOfBefore({ manager, stream }: Messaging): Promise<void> {
  const durables = SHARED_BEFORE.map((producer) => [stream(producer), `chat-fanout-${producer}`] as const);
  const letGo = (of: string, name: string) =>
    manager.consumers.update(of, name, { inactive_threshold: FORSAKEN_MS * NANOSECONDS }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  await Promise.all(
    [...durables, [stream('chat'), 'chat-fanout-messages'] as const].map(([of, name]) => letGo(of, name)),
  );
}
