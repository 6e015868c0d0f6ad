import { MIN_REFETCH_INTERVAL_MS } from '@atrium/proto-events/live-updates/topics';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { topicRoom } from '../sockets/socket-server.ts';
import { createRefetchInterval, type RefetchInterval } from './refetch-interval.ts';

const PER_SECOND = 100;

let rooms: Map<string, Set<string>>;
let countPods: () => Promise<number>;
let interval: RefetchInterval;

beforeEach(() => {
  jest.useFakeTimers();
  rooms = new Map();
  countPods = async () => 1;
  interval = createRefetchInterval({ adapter: { rooms }, countPods: () => countPods(), perSecond: PER_SECOND });
});
afterEach(() => {
  interval.close();
  jest.useRealTimers();
});

const subscribe = (topic: string, from: number, to: number) =>
  rooms.set(topicRoom(topic), new Set(Array.from({ length: to - from }, (_, index) => `socket ${from + index}`)));

const nextCount = () => jest.advanceTimersByTimeAsync(5_000);

it('the refetch interval is the default for few subscribers of workspace-wide lists, regardless of other topics', async () => {
  subscribe('projects', 0, (PER_SECOND * MIN_REFETCH_INTERVAL_MS) / 1_000);
  subscribe('project:65f0c0ffee0000000000000a', 0, 100_000);
  await nextCount();
  expect(interval.pacing()).toEqual({});
});

it('the refetch interval grows with the number of subscribers, counting each socket once', async () => {
  subscribe('projects', 0, 1_000);
  subscribe('people', 500, 2_000);
  await nextCount();
  expect(interval.pacing()).toEqual({ minRefetchIntervalMs: 20_000 });
});

it('the refetch interval stays raised for a minute after subscribers disconnect', async () => {
  subscribe('projects', 0, 1_000);
  expect(interval.pacing()).toEqual({ minRefetchIntervalMs: 10_000 });
  rooms.clear();
  await jest.advanceTimersByTimeAsync(55_000);
  expect(interval.pacing()).toEqual({ minRefetchIntervalMs: 10_000 });
  await jest.advanceTimersByTimeAsync(10_000);
  expect(interval.pacing()).toEqual({});
});

it('the refetch interval includes new subscribers once the count is outdated', async () => {
  await nextCount();
  subscribe('people', 0, 500);
  await jest.advanceTimersByTimeAsync(1_100);
  expect(interval.pacing()).toEqual({ minRefetchIntervalMs: 5_000 });
});

it('the refetch interval grows with the number of pods, whose last known number applies during an outage', async () => {
  subscribe('departments', 0, 1_000);
  countPods = async () => 3;
  await nextCount();
  expect(interval.pacing()).toEqual({ minRefetchIntervalMs: 30_000 });
  expect([interval.budget(1_000), interval.budget(1)]).toEqual([Math.ceil(PER_SECOND / 3), 1]);
  countPods = async () => Promise.reject(new Error('Redis is unavailable'));
  await nextCount();
  expect(interval.pacing()).toEqual({ minRefetchIntervalMs: 30_000 });
});
