import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ApiError } from '#lib/api/api-error.ts';
import { createGapPoller } from './fill-gaps.ts';

beforeEach(() => {
  jest.useFakeTimers();
  // Fixed, because random delays could differ by more than the test distinguishes.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const rejection = (status: number, retryAfterMs?: number) =>
  new ApiError({ status, code: 'refused', messages: [], retryAfterMs }, 'refused');

function openPoller(...responses: (Error | number)[]) {
  const state = { latest: 0, received: 0, requests: 0 };
  const poller = createGapPoller({
    getMissing: () => (state.latest > state.received ? state.latest : null),
    async fetchMissing() {
      const response = responses[state.requests] ?? 0;
      state.requests += 1;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      if (response instanceof Error) throw response;
      state.received = response;
    },
  });
  const setMissing = (seq: number) => {
    state.latest = seq;
    poller.check();
  };
  return { state, setMissing, stop: poller.stop };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

it('requests a gap once, and immediately requests a gap that appeared meanwhile', async () => {
  const { state, setMissing } = openPoller(1, 2);
  setMissing(1);
  setMissing(2);
  expect(state.requests).toBe(1);
  await pass(2_000);
  expect(state).toEqual({ latest: 2, received: 2, requests: 2 });
  await pass(60_000);
  expect(state.requests).toBe(2);
});

it('retries after a delay without a response', async () => {
  const { state, setMissing } = openPoller(rejection(503), rejection(0), 2);
  setMissing(1);
  await pass(1_000);
  setMissing(2);
  await pass(9_000);
  expect(state.requests).toBe(1);
  await pass(8_000);
  expect(state.requests).toBe(2);
  await pass(20_000);
  expect(state).toEqual({ latest: 2, received: 2, requests: 3 });
});

it('respects Retry-After, and does not loop if a response leaves the gap open', async () => {
  const { state, setMissing } = openPoller(rejection(429, 40_000), 0, 1);
  setMissing(1);
  await pass(39_000);
  expect(state.requests).toBe(1);
  await pass(24_000);
  expect(state.requests).toBe(2);
  await pass(20_000);
  expect(state).toEqual({ latest: 1, received: 1, requests: 3 });
});

it('stops after a permanent rejection, and when it is stopped', async () => {
  const refused = openPoller(rejection(404));
  refused.setMissing(1);
  await pass(60_000);
  expect(refused.state.requests).toBe(1);
  const stopped = openPoller(rejection(503));
  stopped.setMissing(1);
  await pass(2_000);
  stopped.stop();
  await pass(60_000);
  expect(stopped.state.requests).toBe(1);
});
