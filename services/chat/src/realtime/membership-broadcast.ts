import type { Logger } from '@atrium/service-kit/observability/logger';
import type { ChatNamespace } from '../sockets/socket-server.ts';
import type { RealtimeRedis } from './redis.ts';

/** Puts people in or out, as the database has it: on this pod, or on all that can be reached. */
export type FollowRooms = (
  conversationId: string,
  userIds: string[],
  where?: { everywhere?: boolean },
) => Promise<void>;

type Parts = {
  chat: ChatNamespace;
  redis: Pick<RealtimeRedis, 'talking'>;
  log: Logger;
  follow: FollowRooms;
};

const AGAIN_MS = 1_000;
/** Long enough for a change of membership to arrive over NATS at a pod that Redis does not reach. */
const LONGEST_WAIT_MS = 5_000;

/** Tells every pod whose people changed, and goes on telling until each has answered: a leave is never dropped. */
export function createMembershipBroadcast({ chat, redis, log, follow }: Parts) {
  const untold = new Map<string, Set<string>>();
  chat.on('membership:sync', (conversationId, userIds, done) => {
    // No answer means that it is said again.
    follow(conversationId, userIds).then(done, (error) => log.warn({ err: error }, 'rooms could not be followed'));
  });
  const tell = async (conversationId: string, userIds: string[]) => {
    await follow(conversationId, userIds);
    if (!redis.talking()) throw new Error('other pods are not heard');
    try {
      await within(LONGEST_WAIT_MS, chat.serverSideEmitWithAck('membership:sync', conversationId, userIds));
    } catch (error) {
      // A pod that does not answer may still be reached by the adapter.
      await follow(conversationId, userIds, { everywhere: true });
      throw error;
    }
  };
  const attempt = async (conversationId: string, userIds: string[]): Promise<boolean> => {
    try {
      await tell(conversationId, userIds);
      return true;
    } catch (error) {
      log.debug({ err: error, conversationId }, 'not all pods could be told whose rooms changed');
      return false;
    }
  };
  const again = async () => {
    for (const [conversationId, userIds] of [...untold]) {
      untold.delete(conversationId);
      if (!(await attempt(conversationId, [...userIds]))) note(conversationId, [...userIds]);
    }
  };
  const note = (conversationId: string, userIds: string[]) => {
    untold.set(conversationId, new Set([...(untold.get(conversationId) ?? []), ...userIds]));
  };
  let running = false;
  const timer = setInterval(() => {
    // While nobody else can be told, this pod has done its part.
    if (running || untold.size === 0 || !redis.talking()) return;
    running = true;
    void again().finally(() => {
      running = false;
    });
  }, AGAIN_MS).unref();
  return {
    async follow(conversationId: string, userIds: string[], { isLeaving }: { isLeaving: boolean }): Promise<void> {
      const began = performance.now();
      if (await attempt(conversationId, userIds)) return;
      note(conversationId, userIds);
      if (isLeaving)
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + LONGEST_WAIT_MS - performance.now())));
    },
    close: () => clearInterval(timer),
  };
}

/** The adapter never answers where its question could not be asked. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer from all pods')), ms);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
