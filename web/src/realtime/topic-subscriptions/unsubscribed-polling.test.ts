import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { QueryCache } from '../../lib/query/query-cache.ts';
import { pollUnsubscribed, type Untold } from './unsubscribed-polling.ts';

let answers: QueryCache;
let asked: string[];
let untold: Untold;

beforeEach(() => {
  jest.useFakeTimers();
  [answers, asked] = [new QueryCache(), []];
  for (const key of ['/a', '/b']) answer(key);
  untold = pollUnsubscribed({
    answers,
    refresh(isMeant) {
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
  const { end } = answers.ask(key);
  answers.set(key, { data: 'there' });
  end(true);
}

it('asks now and then for what is shown and nobody tells of, and once more when it is told of', () => {
  const release = answers.hold('/a');
  untold.note(['/a']);
  jest.advanceTimersByTime(65_000);
  expect(asked).toEqual(['/a', '/a']);
  untold.note([]);
  expect(asked).toEqual(['/a', '/a', '/a']);
  jest.advanceTimersByTime(600_000);
  expect(asked).toHaveLength(3);
  release();
});

it('has what nobody tells of and nothing shows asked for by the next that shows it', () => {
  expect(answers.wanted()).toContain('/b');
  untold.note(['/b']);
  expect(answers.ageOf('/b')).toBe(Number.POSITIVE_INFINITY);
  expect(answers.wanted()).not.toContain('/b');
  jest.advanceTimersByTime(600_000);
  expect(asked).toEqual([]);
});
