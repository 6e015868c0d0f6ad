import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ApiError } from '../../../lib/api/api-error.ts';
import { keepAsking } from './gap-poller.ts';

beforeEach(() => {
  jest.useFakeTimers();
  // Fixed, because random delays could differ by more than the test distinguishes.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const refusal = (status: number, retryAfterMs?: number) =>
  new ApiError({ status, code: 'refused', messages: [], retryAfterMs }, 'refused');

/** A poller for a gap; each request takes a second and resolves with the next response. */
function asking(...answers: (Error | number)[]) {
  const state = { said: 0, there: 0, asked: 0 };
  const keeper = keepAsking({
    missed: () => (state.said > state.there ? state.said : null),
    async ask() {
      const answer = answers[state.asked] ?? 0;
      state.asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      if (answer instanceof Error) throw answer;
      state.there = answer;
    },
  });
  const say = (seq: number) => {
    state.said = seq;
    keeper.look();
  };
  return { state, say, stop: keeper.stop };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

it('requests a gap once, and immediately requests a gap that appeared meanwhile', async () => {
  const { state, say } = asking(1, 2);
  say(1);
  say(2);
  expect(state.asked).toBe(1);
  await pass(2_000);
  expect(state).toEqual({ said: 2, there: 2, asked: 2 });
  await pass(60_000);
  expect(state.asked).toBe(2);
});

it('retries after a delay without a response', async () => {
  const { state, say } = asking(refusal(503), refusal(0), 2);
  say(1);
  await pass(1_000);
  say(2);
  await pass(9_000);
  expect(state.asked).toBe(1);
  await pass(8_000);
  expect(state.asked).toBe(2);
  await pass(20_000);
  expect(state).toEqual({ said: 2, there: 2, asked: 3 });
});

it('respects Retry-After, and does not loop if a response leaves the gap open', async () => {
  const { state, say } = asking(refusal(429, 40_000), 0, 1);
  say(1);
  await pass(39_000);
  expect(state.asked).toBe(1);
  await pass(24_000);
  expect(state.asked).toBe(2);
  await pass(20_000);
  expect(state).toEqual({ said: 1, there: 1, asked: 3 });
});

it('stops after a permanent rejection, and when it is stopped', async () => {
  const refused = asking(refusal(404));
  refused.say(1);
  await pass(60_000);
  expect(refused.state.asked).toBe(1);
  const stopped = asking(refusal(503));
  stopped.say(1);
  await pass(2_000);
  stopped.stop();
  await pass(60_000);
  expect(stopped.state.asked).toBe(1);
});
