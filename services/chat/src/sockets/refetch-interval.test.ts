import { MIN_REFETCH_INTERVAL_MS } from '@atrium/proto-events/topics';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { topicRoom } from '../realtime/rooms.ts';
import { createRefetchInterval, type Pace } from './refetch-interval.ts';

const PER_SECOND = 100;

let rooms: Map<string, Set<string>>;
let countPods: () => Promise<number>;
let pace: Pace;

beforeEach(() => {
  jest.useFakeTimers();
  rooms = new Map();
  countPods = async () => 1;
  pace = createRefetchInterval({ adapter: { rooms }, countPods: () => countPods(), perSecond: PER_SECOND });
});
afterEach(() => {
  pace.close();
  jest.useRealTimers();
});

const show = (topic: string, from: number, to: number) =>
  rooms.set(topicRoom(topic), new Set(Array.from({ length: to - from }, (_, index) => `socket ${from + index}`)));

const counted = () => jest.advanceTimersByTimeAsync(5_000);

it('says nothing where few show lists of everything, however many show one thing', async () => {
  show('projects', 0, (PER_SECOND * MIN_REFETCH_INTERVAL_MS) / 1_000);
  show('project:65f0c0ffee0000000000000a', 0, 100_000);
  await counted();
  expect(pace.told()).toEqual({});
});

it('asks for as much time as all of them need together, each browser once', async () => {
  show('projects', 0, 1_000);
  show('people', 500, 2_000);
  await counted();
  expect(pace.told()).toEqual({ minRefetchIntervalMs: 20_000 });
});

it('remembers a crowd for a minute, which a restart on the way has scattered', async () => {
  show('projects', 0, 1_000);
  expect(pace.told()).toEqual({ minRefetchIntervalMs: 10_000 });
  rooms.clear();
  await jest.advanceTimersByTimeAsync(55_000);
  expect(pace.told()).toEqual({ minRefetchIntervalMs: 10_000 });
  await jest.advanceTimersByTimeAsync(10_000);
  expect(pace.told()).toEqual({});
});

it('counts who has come since it last did when it is asked', async () => {
  await counted();
  show('people', 0, 500);
  await jest.advanceTimersByTimeAsync(1_100);
  expect(pace.told()).toEqual({ minRefetchIntervalMs: 5_000 });
});

it('counts on other pods as many as here, and while they cannot be counted as many pods as before', async () => {
  show('departments', 0, 1_000);
  countPods = async () => 3;
  await counted();
  expect(pace.told()).toEqual({ minRefetchIntervalMs: 30_000 });
  expect([pace.turns(1_000), pace.turns(1)]).toEqual([Math.ceil(PER_SECOND / 3), 1]);
  countPods = async () => Promise.reject(new Error('no connection'));
  await counted();
  expect(pace.told()).toEqual({ minRefetchIntervalMs: 30_000 });
});
