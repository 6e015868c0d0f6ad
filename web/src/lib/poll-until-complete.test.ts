import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ApiError } from './api/api-error.ts';
import { createCatchUpPoller } from './poll-until-complete.ts';

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
  new ApiError({ status, code: 'rejected', messages: [], retryAfterMs }, 'rejected');

function openPoller(...responses: (Error | number)[]) {
  const state = { latest: 0, received: 0, requests: 0 };
  const poller = createCatchUpPoller({
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

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);

it('catch-up poller requests what is missing once, and immediately what is added in the meantime', async () => {
  const { state, setMissing } = openPoller(1, 2);
  setMissing(1);
  setMissing(2);
  expect(state.requests).toBe(1);
  await advance(2_000);
  expect(state).toEqual({ latest: 2, received: 2, requests: 2 });
  await advance(60_000);
  expect(state.requests).toBe(2);
});

it('catch-up poller retries after a delay if there is no response', async () => {
  const { state, setMissing } = openPoller(rejection(503), rejection(0), 2);
  setMissing(1);
  await advance(1_000);
  setMissing(2);
  await advance(9_000);
  expect(state.requests).toBe(1);
  await advance(8_000);
  expect(state.requests).toBe(2);
  await advance(20_000);
  expect(state).toEqual({ latest: 2, received: 2, requests: 3 });
});

it('catch-up poller respects Retry-After, and does not loop if a response does not suffice', async () => {
  const { state, setMissing } = openPoller(rejection(429, 40_000), 0, 1);
  setMissing(1);
  await advance(39_000);
  expect(state.requests).toBe(1);
  await advance(24_000);
  expect(state.requests).toBe(2);
  await advance(20_000);
  expect(state).toEqual({ latest: 1, received: 1, requests: 3 });
});

it('catch-up poller stops after a permanent rejection, and when it is stopped', async () => {
  const rejectedPoller = openPoller(rejection(404));
  rejectedPoller.setMissing(1);
  await advance(60_000);
  expect(rejectedPoller.state.requests).toBe(1);
  const stoppedPoller = openPoller(rejection(503));
  stoppedPoller.setMissing(1);
  await advance(2_000);
  stoppedPoller.stop();
  await advance(60_000);
  expect(stoppedPoller.state.requests).toBe(1);
});
