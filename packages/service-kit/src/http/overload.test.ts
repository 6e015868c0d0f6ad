import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { watchOverload } from './overload.ts';

function keepBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function until(fits: () => boolean, work: () => void): Promise<boolean> {
  const end = performance.now() + 8_000;
  while (!fits() && performance.now() < end) {
    work();
    await delay(5);
  }
  return fits();
}

describe('the watch over the event loop', () => {
  it('notices that the process is late with everything, and that it has caught up again', async () => {
    const watch = watchOverload(60);
    expect(watch.overloaded()).toBe(false);
    expect(
      await until(
        () => watch.overloaded(),
        () => keepBusy(150),
      ),
    ).toBe(true);
    expect(
      await until(
        () => !watch.overloaded(),
        () => undefined,
      ),
    ).toBe(true);
    watch.close();
  });

  it('takes nobody for too many once it is closed, for nothing would tell it that the process has caught up', async () => {
    const watch = watchOverload(60);
    const isLate = await until(
      () => watch.overloaded(),
      () => keepBusy(150),
    );
    watch.close();
    expect([isLate, watch.overloaded()]).toEqual([true, false]);
  });

  it('takes a single pause for no overload', async () => {
    const watch = watchOverload(300);
    await delay(50);
    keepBusy(450);
    const end = performance.now() + 1_500;
    while (performance.now() < end) {
      expect(watch.overloaded()).toBe(false);
      await delay(5);
    }
    watch.close();
  });
});
