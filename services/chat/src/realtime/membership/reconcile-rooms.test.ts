import { createLogger } from '@atrium/service-kit/observability/logger';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { reconcileRooms, USERS_PER_SLICE } from './reconcile-rooms.ts';

const SLICE_MS = 40;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function startReconciling(userCount: number, { failures = 0 } = {}) {
  const slices: { at: number; userIds: string[] }[] = [];
  const users = Array.from({ length: userCount }, (_, at) => `user-${at}`);
  let change = () => {};
  let failuresLeft = failures;
  const reconciling = reconcileRooms({
    redis: {
      onConnectionChange(listener) {
        change = listener;
      },
    },
    listConnectedUsers: () => users,
    async reconcile(userIds) {
      slices.push({ at: performance.now(), userIds });
      await new Promise((resolve) => setTimeout(resolve, SLICE_MS));
      if (failuresLeft-- > 0) throw new Error('the database is unavailable');
    },
    log: createLogger('test', 'silent'),
  });
  return { slices, users, change: () => change(), reconciling };
}

const passSeconds = (seconds: number) => jest.advanceTimersByTimeAsync(seconds * 1_000);

it('room reconciliation covers all users once when Redis is lost and once when it is back, and not in between', async () => {
  const { slices, users, change, reconciling } = startReconciling(3 * USERS_PER_SLICE);
  change();
  await passSeconds(60);
  expect(slices.flatMap(({ userIds }) => userIds)).toEqual(users);
  change();
  await passSeconds(60);
  expect(slices).toHaveLength(6);
  reconciling.close();
});

it('room reconciliation pauses after each slice for as long as the slice took', async () => {
  const { slices, change, reconciling } = startReconciling(4 * USERS_PER_SLICE);
  change();
  await passSeconds(60);
  const gaps = slices.slice(1).map(({ at }, index) => at - (slices[index]?.at ?? 0));
  expect(gaps.every((gap) => gap >= 2 * SLICE_MS)).toBe(true);
  reconciling.close();
});

it('room reconciliation restarts once if the connection changed during a pass, however often', async () => {
  const { slices, change, reconciling } = startReconciling(2 * USERS_PER_SLICE);
  change();
  await jest.advanceTimersByTimeAsync(SLICE_MS / 2);
  for (let at = 0; at < 10; at += 1) change();
  await passSeconds(60);
  expect(slices).toHaveLength(4);
  reconciling.close();
});

it('room reconciliation repeats a failed slice', async () => {
  const { slices, change, reconciling } = startReconciling(USERS_PER_SLICE, { failures: 2 });
  change();
  await passSeconds(60);
  expect(slices).toHaveLength(3);
  reconciling.close();
});
