import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { QueryCache } from '../../lib/query/query-cache.ts';
import { pollUnsubscribed, type UnsubscribedPolling } from './unsubscribed-polling.ts';

let answers: QueryCache;
let asked: string[];
let untold: UnsubscribedPolling;

beforeEach(() => {
  jest.useFakeTimers();
  [answers, asked] = [new QueryCache(), []];
  for (const key of ['/a', '/b']) answer(key);
  untold = pollUnsubscribed({
    cache: answers,
    refetch(isMeant) {
      for (const key of answers.keys())
        if (isMeant(key, answers.requestAge(key), answers.get(key)?.data)) {
          asked.push(key);
          answer(key);
        }
    },
  });
});
afterEach(() => {
  untold.stop();
  jest.useRealTimers();
});

function answer(key: string): void {
  const { finish } = answers.startRequest(key);
  answers.set(key, { data: 'there' });
  finish(true);
}

it('polls observed queries without a subscription, and refetches them once when they are subscribed again', () => {
  const release = answers.observe('/a');
  untold.setKeys(['/a']);
  jest.advanceTimersByTime(65_000);
  expect(asked).toEqual(['/a', '/a']);
  untold.setKeys([]);
  expect(asked).toEqual(['/a', '/a', '/a']);
  jest.advanceTimersByTime(600_000);
  expect(asked).toHaveLength(3);
  release();
});

it('invalidates unobserved queries without a subscription for their next observer', () => {
  expect(answers.activeKeys()).toContain('/b');
  untold.setKeys(['/b']);
  expect(answers.dataAge('/b')).toBe(Number.POSITIVE_INFINITY);
  expect(answers.activeKeys()).not.toContain('/b');
  jest.advanceTimersByTime(600_000);
  expect(asked).toEqual([]);
});
