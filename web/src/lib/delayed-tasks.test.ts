import { describe, expect, it } from '@jest/globals';
import { coalesce } from '#lib/delayed-tasks.ts';

describe('coalesce', () => {
  it('passes the first items on immediately and the following ones in one batch', async () => {
    const batches: number[][] = [];
    const second = new Promise<void>((done) => {
      const receive = coalesce<number>(10, (items) => {
        batches.push(items);
        if (batches.length === 2) done();
      });
      receive([1]);
      receive([2]);
      receive([3, 4]);
    });
    expect(batches).toEqual([[1]]);
    await second;
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });
});
