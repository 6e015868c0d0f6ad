import { MAX_SOCKETS } from '@atrium/proto-events/realtime';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testRedis } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { openRedis } from '../src/realtime/redis.ts';
import { createSocketLimits } from '../src/sockets/socket-limits.ts';

const open = closeAfterEach();
const quiet = createLogger('chat', 'silent');

/** The socket limits of pods without a heartbeat, on one Redis. */
async function createPods(count: number) {
  const { url, prefix } = await testRedis();
  return Promise.all(
    Array.from({ length: count }, async () => {
      const redis = openRedis(url, prefix, quiet);
      open.push(redis);
      await waitFor(() => redis.commands.status === 'ready', { what: 'Redis' });
      const limits = createSocketLimits(redis, { id: newId(), lifeMs: 60_000 }, quiet);
      open.push(limits);
      return limits;
    }),
  );
}

const fill = async ([limits]: Awaited<ReturnType<typeof createPods>>, user: string) =>
  Promise.all(Array.from({ length: MAX_SOCKETS }, () => limits?.take('/chat', user)));

/** Longer than the timeout of Redis commands. */
function blockEventLoop(): void {
  const until = performance.now() + 1_300;
  while (performance.now() < until);
}

describe('the socket limit', () => {
  it('includes the sockets of a pod that has just started', async () => {
    const user = newId();
    const both = await createPods(2);
    expect(await fill(both, user)).toEqual(Array(MAX_SOCKETS).fill(true));
    expect(await both[1]?.take('/chat', user)).toBe(false);
    both[0]?.release('/chat', user);
    await waitFor(() => both[1]?.take('/chat', user), { what: 'a slot to be free' });
  });

  it('is enforced after a pause of the process during the check', async () => {
    const user = newId();
    const both = await createPods(2);
    await fill(both, user);
    const taking = both[1]?.take('/chat', user);
    blockEventLoop();
    expect(await taking).toBe(false);
  });
});
