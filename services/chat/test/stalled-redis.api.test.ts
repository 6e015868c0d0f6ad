import { createLogger } from '@atrium/service-kit/observability/logger';
import { testRedis } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { openRedis } from '../src/sockets/redis.ts';

const closables = closeAfterEach();
const silentLog = createLogger('chat', 'silent');

describe('a Redis connection that stalls', () => {
  it('is reported as disconnected, and recovers', async () => {
    const { url, prefix } = await testRedis();
    const proxy = await createFaultyProxy(url);
    closables.push(proxy);
    const redis = openRedis(proxy.url, prefix, silentLog);
    closables.push(redis);
    await waitFor(() => redis.isConnected(), { description: 'Redis' });
    const receivedMessages: string[] = [];
    redis.subscriber.on('message', (_channel: string, message: string) => receivedMessages.push(message));
    await redis.subscriber.subscribe(`${prefix}:silence`);

    proxy.stall();
    await waitFor(() => !redis.isConnected() && redis.subscriber.status !== 'ready', {
      description: 'the stall to be detected',
    });
    await expect(redis.check()).rejects.toThrow();

    proxy.restore();
    await waitFor(() => redis.isConnected(), { description: 'Redis again' });
    await waitFor(
      async () => {
        await redis.publisher.publish(`${prefix}:silence`, 'here');
        return receivedMessages.includes('here');
      },
      { description: 'a published message', intervalMs: 100 },
    );
  });
});
