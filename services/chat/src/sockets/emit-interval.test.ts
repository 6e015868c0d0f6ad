import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createEmitInterval } from './emit-interval.ts';

const INTERVAL_MS = 40;

describe('createEmitInterval', () => {
  let emitted: string[];
  let emit: (name: string) => void;

  beforeEach(() => {
    jest.useFakeTimers();
    emitted = [];
    const nextTurn = createEmitInterval(INTERVAL_MS);
    emit = (name) => void nextTurn().then(() => emitted.push(name));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('does not delay the first emit', async () => {
    emit('first');
    await jest.advanceTimersByTimeAsync(0);
    expect(emitted).toEqual(['first']);
  });

  it('lets those wait together that follow within the interval, in order', async () => {
    for (const name of ['first', 'second', 'third']) emit(name);
    await jest.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(emitted).toEqual(['first']);
    await jest.advanceTimersByTimeAsync(1);
    expect(emitted).toEqual(['first', 'second', 'third']);
  });

  it('starts an interval with each turn', async () => {
    emit('first');
    emit('second');
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    emit('third');
    await jest.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(emitted).toEqual(['first', 'second']);
    await jest.advanceTimersByTimeAsync(1);
    expect(emitted).toEqual(['first', 'second', 'third']);
  });

  it('does not delay an emit after an interval without any', async () => {
    emit('first');
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    emit('second');
    await jest.advanceTimersByTimeAsync(0);
    expect(emitted).toEqual(['first', 'second']);
  });
});
