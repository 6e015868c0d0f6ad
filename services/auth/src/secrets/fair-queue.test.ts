import { describe, expect, it } from '@jest/globals';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

const from = (address: string, network = address) => ({ network, address });

function drain<T>(queue: FairQueue<T>): T[] {
  const items: T[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

describe('createFairQueue', () => {
  it('alternates between addresses and keeps the order within each', () => {
    const queue = createFairQueue<string>(10);
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(from(item.slice(0, 1)), item);
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect(queue.size).toBe(0);
  });

  it('serves a late address before the second item of other addresses', () => {
    const queue = createFairQueue<string>(10);
    for (const item of ['a1', 'a2', 'a3']) queue.push(from('a'), item);
    expect(queue.shift()).toBe('a1');
    queue.push(from('b'), 'b1');
    expect(drain(queue)).toEqual(['a2', 'b1', 'a3']);
  });

  it('shares one turn among the addresses of a network', () => {
    const queue = createFairQueue<string>(10);
    for (const n of [1, 2, 3]) queue.push(from(`a${n}`, 'a'), `a${n}`);
    queue.push(from('b'), 'b1');
    expect(drain(queue)).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('drops the newest item of the address with the most waiting items', () => {
    const queue = createFairQueue<string>(4);
    for (const item of ['a1', 'a2', 'a3']) queue.push(from('a'), item);
    expect(queue.push(from('b'), 'b1')).toBeUndefined();
    expect(queue.push(from('c'), 'c1')).toBe('a3');
    expect(queue.push(from('a'), 'a4')).toBe('a4');
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('drops from the network with the most waiting items, even if each address has only one', () => {
    const queue = createFairQueue<string>(4);
    for (const n of [1, 2, 3, 4]) queue.push(from(`a${n}`, 'a'), `a${n}`);
    expect(queue.push(from('b'), 'b1')).toBe('a4');
  });

  it('rejects every item at capacity zero', () => {
    expect(createFairQueue<string>(0).push(from('a'), 'a1')).toBe('a1');
  });
});
