import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createPresenceSubscription, type PresenceSubscription } from './presence-subscription.ts';

type Params = Parameters<typeof createPresenceSubscription>[0];

let isConnected: boolean;
let sent: string[][];
let answer: () => Awaited<ReturnType<Params['send']>>;
let taken: Parameters<Params['applyResponse']>[];
let watch: PresenceSubscription;

beforeEach(() => {
  jest.useFakeTimers();
  isConnected = true;
  sent = [];
  taken = [];
  answer = () => ({ ok: true, data: { online: ['ada'] } });
  watch = createPresenceSubscription({
    isConnected: () => isConnected,
    send: async (users) => {
      sent.push(users);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return answer();
    },
    applyResponse: (...given) => taken.push(given),
  });
});

afterEach(() => {
  watch.stop();
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('presence subscription', () => {
  it('subscribes to all visible users in one request and stores the response', async () => {
    watch.show(['ada', 'ben']);
    watch.show(['ben', 'cleo']);
    await pass(100);
    expect(sent).toEqual([['ada', 'ben', 'cleo']]);
    expect(taken).toEqual([[['ada', 'ben', 'cleo'], ['ada']]]);
    await pass(60_000);
    expect(sent).toHaveLength(1);
  });

  it('resubscribes when visible users change, and keeps hidden ones for a while', async () => {
    const hide = watch.show(['ada']);
    await pass(100);
    hide();
    const hideBen = watch.show(['ben']);
    await pass(100);
    expect(sent.at(-1)).toEqual(['ada', 'ben']);
    await pass(15_000);
    expect(sent.at(-1)).toEqual(['ben']);
    hideBen();
    await pass(15_000);
    expect(sent).toEqual([['ada'], ['ada', 'ben'], ['ben'], []]);
  });

  it('sends nothing when screens that show the same users follow each other', async () => {
    const hide = watch.show(['ada', 'ben']);
    await pass(100);
    hide();
    watch.show(['ben', 'ada']);
    await pass(60_000);
    expect(sent).toHaveLength(1);
  });

  it('subscribes to the most recently shown users if there are too many', async () => {
    const many = Array.from({ length: 600 }, (_, index) => `person-${index}`);
    watch.show(many);
    watch.show(['person-0']);
    await pass(100);
    expect(sent[0]).toHaveLength(500);
    expect(sent[0]?.at(-1)).toBe('person-0');
    expect(sent[0]).not.toContain('person-1');
  });

  it('subscribes to users shown during a request after its response', async () => {
    watch.show(['ada']);
    await pass(55);
    watch.show(['ben']);
    await pass(200);
    expect(sent).toEqual([['ada'], ['ada', 'ben']]);
  });
});

describe('presence subscription on a connection', () => {
  it('sends nothing while disconnected, and everything once connected', async () => {
    isConnected = false;
    watch.show(['ada']);
    await pass(1_000);
    expect(sent).toEqual([]);
    isConnected = true;
    watch.begin();
    await pass(100);
    expect(sent).toEqual([['ada']]);
    watch.begin();
    watch.begin();
    await pass(100);
    expect(sent).toEqual([['ada'], ['ada']]);
  });

  it('subscribes again after a reconnect', async () => {
    watch.show(['ada']);
    await pass(60);
    watch.begin();
    await pass(100);
    expect(sent).toEqual([['ada'], ['ada']]);
    expect(taken).toHaveLength(1);
  });

  it('retries a failed request after a delay', async () => {
    answer = () => ({ ok: false, error: { code: 'rate_limited', message: 'Too many events at once' } });
    watch.show(['ada']);
    await pass(100);
    answer = () => ({ ok: true, data: { online: [] } });
    await pass(10_000);
    expect(sent).toHaveLength(2);
    expect(taken).toHaveLength(1);
  });
});
