import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { watchOverload } from './overload.ts';

function blockEventLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function workUntil(isDone: () => boolean, work: () => void): Promise<boolean> {
  const end = performance.now() + 8_000;
  while (!isDone() && performance.now() < end) {
    work();
    await delay(5);
  }
  return isDone();
}

describe('watchOverload', () => {
  it('detects an overloaded event loop and its recovery', async () => {
    const watch = watchOverload(60);
    expect(watch.overloaded()).toBe(false);
    expect(
      await workUntil(
        () => watch.overloaded(),
        () => blockEventLoop(150),
      ),
    ).toBe(true);
    expect(
      await workUntil(
        () => !watch.overloaded(),
        () => undefined,
      ),
    ).toBe(true);
    watch.close();
  });

  it('reports no overload after it is closed, since nothing would detect a recovery', async () => {
    const watch = watchOverload(60);
    const wasOverloaded = await workUntil(
      () => watch.overloaded(),
      () => blockEventLoop(150),
    );
    watch.close();
    expect([wasOverloaded, watch.overloaded()]).toEqual([true, false]);
  });

  it('ignores a single pause', async () => {
    const watch = watchOverload(300);
    await delay(50);
    blockEventLoop(450);
    const end = performance.now() + 1_500;
    while (performance.now() < end) {
      expect(watch.overloaded()).toBe(false);
      await delay(5);
    }
    watch.close();
  });
});
