import { MOST_SOCKETS } from '@atrium/proto-events/realtime';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { newId } from '@atrium/service-kit/process/new-id';
import { testRedis } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { openRedis } from '../src/realtime/redis.ts';
import { createSocketCounts } from '../src/sockets/socket-limits.ts';

const open = closeAfterEach();
const quiet = createLogger('chat', 'silent');

/** The counts of so many pods on one Redis, none of which gave a sign of life yet. */
async function pods(count: number) {
  const { url, prefix } = await testRedis();
  return Promise.all(
    Array.from({ length: count }, async () => {
      const redis = openRedis(url, prefix, quiet);
      open.push(redis);
      await waitFor(() => redis.commands.status === 'ready', { what: 'Redis' });
      const counts = createSocketCounts(redis, { id: newId(), lifeMs: 60_000 }, quiet);
      open.push(counts);
      return counts;
    }),
  );
}

const fill = async ([counts]: Awaited<ReturnType<typeof pods>>, user: string) =>
  Promise.all(Array.from({ length: MOST_SOCKETS }, () => counts?.take('/chat', user)));

/** Long enough for a question to Redis to run out of time. */
function standStill(): void {
  const until = performance.now() + 1_300;
  while (performance.now() < until);
}

describe('the count of somebody’s sockets', () => {
  it('knows those of a pod that has just started', async () => {
    const user = newId();
    const both = await pods(2);
    expect(await fill(both, user)).toEqual(Array(MOST_SOCKETS).fill(true));
    expect(await both[1]?.take('/chat', user)).toBe(false);
    both[0]?.release('/chat', user);
    await waitFor(() => both[1]?.take('/chat', user), { what: 'a place to be free' });
  });

  it('holds in a process that stood still while it was asked for', async () => {
    const user = newId();
    const both = await pods(2);
    await fill(both, user);
    const taking = both[1]?.take('/chat', user);
    standStill();
    expect(await taking).toBe(false);
  });
});
