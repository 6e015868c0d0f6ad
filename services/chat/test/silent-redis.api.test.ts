import { createLogger } from '@atrium/service-kit/observability/logger';
import { testRedis } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { openRedis } from '../src/realtime/redis.ts';

const open = closeAfterEach();
const quiet = createLogger('chat', 'silent');
/** Shorter than any keep-alive of TCP takes to notice. */
const SOON_MS = 6_000;

describe('a Redis that dies without a word', () => {
  it('is not believed to listen, and is heard again once it answers', async () => {
    const { url, prefix } = await testRedis();
    const line = await createFaultyProxy(url);
    open.push(line);
    const redis = openRedis(line.url, prefix, quiet);
    open.push(redis);
    await waitFor(() => redis.talking(), { what: 'Redis' });
    const heard: string[] = [];
    redis.subscriber.on('message', (_channel: string, message: string) => heard.push(message));
    await redis.subscriber.subscribe(`${prefix}:silence`);

    line.stall();
    await waitFor(() => !redis.talking() && !redis.listening(), {
      what: 'the silence to be noticed',
      timeoutMs: SOON_MS,
    });
    await expect(redis.check()).rejects.toThrow();

    line.mend();
    await waitFor(() => redis.talking(), { what: 'Redis again', timeoutMs: SOON_MS });
    await waitFor(
      async () => {
        await redis.publisher.publish(`${prefix}:silence`, 'here');
        return heard.includes('here');
      },
      { what: 'what another pod says', everyMs: 100 },
    );
  });
});
