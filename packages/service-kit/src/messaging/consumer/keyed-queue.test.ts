import { describe, expect, it } from '@jest/globals';
import { createKeyedQueue } from './keyed-queue.ts';

function createQueueHarness() {
  const queue = createKeyedQueue();
  const log: string[] = [];
  const gates = new Map<string, () => void>();
  const add = (key: string | undefined, name: string) =>
    queue.add(key, async () => {
      log.push(`${name} begins`);
      await new Promise<void>((resolve) => gates.set(name, resolve));
      log.push(`${name} ends`);
    });
  const flush = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    gates.get(name)?.();
    await flush();
  };
  return { queue, log, add, end, flush };
}

describe('createKeyedQueue', () => {
  it('runs work sequentially per key and concurrently across keys', async () => {
    const { log, add, end, flush } = createQueueHarness();
    add('a', 'a1');
    add('a', 'a2');
    add('b', 'b1');
    await flush();
    expect(log).toEqual(['a1 begins', 'b1 begins']);
    await end('a1');
    expect(log).toEqual(['a1 begins', 'b1 begins', 'a1 ends', 'a2 begins']);
  });

  it('runs work without a key exclusively, after all earlier and before all later work', async () => {
    const { queue, log, add, end, flush } = createQueueHarness();
    add('a', 'a1');
    add(undefined, 'x');
    add('b', 'b1');
    await flush();
    expect(log).toEqual(['a1 begins']);
    await end('a1');
    await end('x');
    expect(log.slice(2)).toEqual(['x begins', 'x ends', 'b1 begins']);
    await end('b1');
    await queue.ended();
    expect(log.at(-1)).toBe('b1 ends');
  });
});
