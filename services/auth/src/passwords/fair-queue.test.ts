import { describe, expect, it } from '@jest/globals';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

const at = (address: string, network = address) => ({ network, address });

function drain<T>(queue: FairQueue<T>): T[] {
  const items: T[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
}

describe('a fair queue', () => {
  it('serves addresses in turn, each in its order', () => {
    const queue = createFairQueue<string>(10);
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(at(item.slice(0, 1)), item);
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect(queue.size).toBe(0);
  });

  it('serves an address that comes late before the second of others', () => {
    const queue = createFairQueue<string>(10);
    for (const item of ['a1', 'a2', 'a3']) queue.push(at('a'), item);
    expect(queue.shift()).toBe('a1');
    queue.push(at('b'), 'b1');
    expect(drain(queue)).toEqual(['a2', 'b1', 'a3']);
  });

  it('counts the addresses of one network together', () => {
    const queue = createFairQueue<string>(10);
    for (const n of [1, 2, 3]) queue.push(at(`a${n}`, 'a'), `a${n}`);
    queue.push(at('b'), 'b1');
    expect(drain(queue)).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('sheds the newest of the address with the most waiting, and nobody else', () => {
    const queue = createFairQueue<string>(4);
    for (const item of ['a1', 'a2', 'a3']) queue.push(at('a'), item);
    expect(queue.push(at('b'), 'b1')).toBeUndefined();
    expect(queue.push(at('c'), 'c1')).toBe('a3');
    expect(queue.push(at('a'), 'a4')).toBe('a4');
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('sheds of the network with the most waiting, though each of its addresses has one', () => {
    const queue = createFairQueue<string>(4);
    for (const n of [1, 2, 3, 4]) queue.push(at(`a${n}`, 'a'), `a${n}`);
    expect(queue.push(at('b'), 'b1')).toBe('a4');
  });

  it('takes nothing where it has no room', () => {
    expect(createFairQueue<string>(0).push(at('a'), 'a1')).toBe('a1');
  });
});
