import { createLogger } from '@atrium/service-kit/observability/logger';
import { testRedis } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, expect, it } from '@jest/globals';
import { openRedis } from '../src/sockets/redis.ts';

const unhandledRejections: unknown[] = [];
const recordRejection = (reason: unknown) => void unhandledRejections.push(reason);

afterEach(() => void process.off('unhandledRejection', recordRejection));

it('closing Redis connections during a resubscription causes no unhandled rejection', async () => {
  process.on('unhandledRejection', recordRejection);
  const { url, prefix } = await testRedis();
  const proxy = await createFaultyProxy(url);
  const redis = openRedis(proxy.url, prefix, createLogger('chat', 'silent'));
  await redis.subscriber.subscribe(`${prefix}:one`);
  await redis.subscriber.psubscribe(`${prefix}:two:*`);
  proxy.cut();
  await waitFor(() => redis.subscriber.status !== 'ready', { description: 'the connection to be lost' });
  const reconnection = new Promise<void>((resolve) => redis.subscriber.once('ready', resolve));
  proxy.restore();
  await reconnection;
  redis.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandledRejections).toEqual([]);
  await proxy.close();
});
