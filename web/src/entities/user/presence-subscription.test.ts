import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createPresenceSubscription, type PresenceSubscription } from './presence-subscription.ts';

type Params = Parameters<typeof createPresenceSubscription>[0];

let isConnected: boolean;
let requests: string[][];
let respond: () => Awaited<ReturnType<Params['send']>>;
let appliedResponses: Parameters<Params['applyResponse']>[];
let subscription: PresenceSubscription;

beforeEach(() => {
  jest.useFakeTimers();
  isConnected = true;
  requests = [];
  appliedResponses = [];
  respond = () => ({ ok: true, data: { online: ['ada'] } });
  subscription = createPresenceSubscription({
    isConnected: () => isConnected,
    send: async (users) => {
      requests.push(users);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return respond();
    },
    applyResponse: (...params) => appliedResponses.push(params),
  });
});

afterEach(() => {
  subscription.stop();
  jest.useRealTimers();
});

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('presence subscription', () => {
  it('subscribes to all visible users in one request and stores the response', async () => {
    subscription.show(['ada', 'ben']);
    subscription.show(['ben', 'cleo']);
    await advance(100);
    expect(requests).toEqual([['ada', 'ben', 'cleo']]);
    expect(appliedResponses).toEqual([[['ada', 'ben', 'cleo'], ['ada']]]);
    await advance(60_000);
    expect(requests).toHaveLength(1);
  });

  it('resubscribes when visible users change, and keeps hidden ones for a while', async () => {
    const hide = subscription.show(['ada']);
    await advance(100);
    hide();
    const hideBen = subscription.show(['ben']);
    await advance(100);
    expect(requests.at(-1)).toEqual(['ada', 'ben']);
    await advance(15_000);
    expect(requests.at(-1)).toEqual(['ben']);
    hideBen();
    await advance(15_000);
    expect(requests).toEqual([['ada'], ['ada', 'ben'], ['ben'], []]);
  });

  it('sends nothing when screens that show the same users follow each other', async () => {
    const hide = subscription.show(['ada', 'ben']);
    await advance(100);
    hide();
    subscription.show(['ben', 'ada']);
    await advance(60_000);
    expect(requests).toHaveLength(1);
  });

  it('subscribes to the most recently shown users if there are too many', async () => {
    const users = Array.from({ length: 600 }, (_, index) => `user-${index}`);
    subscription.show(users);
    subscription.show(['user-0']);
    await advance(100);
    expect(requests[0]).toHaveLength(500);
    expect(requests[0]?.at(-1)).toBe('user-0');
    expect(requests[0]).not.toContain('user-1');
  });

  it('subscribes to users shown during a request after its response', async () => {
    subscription.show(['ada']);
    await advance(55);
    subscription.show(['ben']);
    await advance(200);
    expect(requests).toEqual([['ada'], ['ada', 'ben']]);
  });
});

describe('presence subscription after connecting or a failure', () => {
  it('sends nothing while disconnected, and one request for each connection', async () => {
    isConnected = false;
    subscription.show(['ada']);
    await advance(1_000);
    expect(requests).toEqual([]);
    isConnected = true;
    subscription.begin();
    await advance(100);
    expect(requests).toEqual([['ada']]);
    subscription.begin();
    subscription.begin();
    await advance(100);
    expect(requests).toEqual([['ada'], ['ada']]);
  });

  it('subscribes again after a reconnect', async () => {
    subscription.show(['ada']);
    await advance(60);
    subscription.begin();
    await advance(100);
    expect(requests).toEqual([['ada'], ['ada']]);
    expect(appliedResponses).toHaveLength(1);
  });

  it('retries a failed request after a delay', async () => {
    respond = () => ({ ok: false, error: { code: 'rate_limited', message: 'Too many events at once' } });
    subscription.show(['ada']);
    await advance(100);
    respond = () => ({ ok: true, data: { online: [] } });
    await advance(10_000);
    expect(requests).toHaveLength(2);
    expect(appliedResponses).toHaveLength(1);
  });
});
