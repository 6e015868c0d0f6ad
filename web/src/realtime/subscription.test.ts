import type { Tag } from '@atrium/proto-events/change-tags';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createSubscription, type Subscription } from './subscription.ts';

type Send = Parameters<typeof createSubscription>[0]['send'];

let tags: Tag[];
let isConnected: boolean;
let payloads: Parameters<Send>[0][];
let respond: () => Awaited<ReturnType<Send>>;
let missed: unknown[];
let subscription: Subscription;

beforeEach(() => {
  jest.useFakeTimers();
  tags = ['projects'];
  isConnected = true;
  payloads = [];
  missed = [];
  respond = () => ({
    ok: true,
    data: { position: `p${payloads.length}`, changes: payloads.length === 1 ? null : [] },
  });
  subscription = createSubscription({
    selectTags: () => tags,
    isConnected: () => isConnected,
    maxDataAgeMs: () => 1_000,
    send: async (payload) => {
      payloads.push(payload);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return respond();
    },
    applyMissed: (changes) => missed.push(changes),
  });
});

afterEach(() => {
  subscription.stop();
  jest.useRealTimers();
});

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('createSubscription', () => {
  it('subscribes on connect and again when the tags change', async () => {
    subscription.resubscribe();
    await advance(100);
    expect(payloads).toEqual([{ tags: ['projects'], maxAgeMs: 1_000 }]);
    subscription.syncNow();
    await advance(1_000);
    expect(payloads).toHaveLength(1);
    tags = ['people'];
    subscription.syncNow();
    tags = ['documents'];
    subscription.syncNow();
    await advance(1_000);
    expect(payloads.slice(1)).toEqual([{ tags: ['documents'], afterPosition: 'p1' }]);
    expect(missed).toEqual([null, { changes: [] }]);
  });

  it('subscribes again when the tags changed during the request', async () => {
    subscription.resubscribe();
    await advance(10);
    tags = ['people'];
    subscription.syncNow();
    await advance(1_000);
    expect(payloads.map((payload) => payload.tags)).toEqual([['projects'], ['people']]);
  });

  it('requests changes since the responses of queries that were observed before the first position', async () => {
    subscription.resubscribe();
    await advance(10);
    tags = ['people'];
    subscription.syncNow();
    await advance(1_000);
    tags = ['documents'];
    subscription.syncNow();
    await advance(1_000);
    expect(payloads).toEqual([
      { tags: ['projects'], maxAgeMs: 1_000 },
      { tags: ['people'], maxAgeMs: 1_000 },
      { tags: ['documents'], afterPosition: 'p2' },
    ]);
  });

  it('sends its position on a new connection and ignores the response on the old one', async () => {
    subscription.resubscribe();
    await advance(100);
    subscription.setPosition('p7');
    subscription.resubscribe();
    await advance(10);
    subscription.resubscribe();
    await advance(1_000);
    expect(payloads.slice(1)).toEqual([
      { tags: ['projects'], afterPosition: 'p7' },
      { tags: ['projects'], afterPosition: 'p7' },
    ]);
    expect(missed).toHaveLength(2);
  });

  it('retries when no response arrives', async () => {
    let isResponding = false;
    const respondNormally = respond;
    respond = () => {
      if (!isResponding) throw new Error('Connection timeout');
      return respondNormally();
    };
    subscription.resubscribe();
    await advance(1_000);
    isResponding = true;
    await advance(10_000);
    expect(payloads).toHaveLength(2);
    expect(missed).toHaveLength(1);
  });

  it('requests changes from before a query was observed, despite later positions', async () => {
    subscription.resubscribe();
    await advance(100);
    tags = ['people'];
    subscription.syncNow();
    subscription.setPosition('p9');
    await advance(60);
    tags = ['documents'];
    subscription.syncNow();
    subscription.setPosition('p10');
    await advance(1_000);
    expect(payloads.slice(1)).toEqual([
      { tags: ['people'], afterPosition: 'p1' },
      { tags: ['documents'], afterPosition: 'p9' },
    ]);
    subscription.syncNow();
    await advance(1_000);
    subscription.setPosition('p11');
    tags = ['projects'];
    subscription.syncNow();
    await advance(1_000);
    expect(payloads.at(-1)).toEqual({ tags: ['projects'], afterPosition: 'p11' });
  });

  it('retries from its position when the server temporarily rejects it', async () => {
    subscription.resubscribe();
    await advance(100);
    const respondNormally = respond;
    respond = () => ({ ok: false, error: { code: 'rate_limited', message: 'Too many events at once' } });
    tags = ['people'];
    subscription.syncNow();
    await advance(1_000);
    subscription.setPosition('p9');
    respond = respondNormally;
    await advance(10_000);
    expect(payloads.slice(1)).toEqual([
      { tags: ['people'], afterPosition: 'p1' },
      { tags: ['people'], afterPosition: 'p1' },
    ]);
  });

  it('subscribes again to its previous tags, because the server may have replaced them although no response arrived', async () => {
    subscription.resubscribe();
    await advance(100);
    const respondNormally = respond;
    respond = () => {
      throw new Error('Connection timeout');
    };
    tags = ['people'];
    subscription.syncNow();
    await advance(100);
    respond = respondNormally;
    tags = ['projects'];
    subscription.syncNow();
    await advance(1_000);
    expect(payloads.slice(1)).toEqual([
      { tags: ['people'], afterPosition: 'p1' },
      { tags: ['projects'], afterPosition: 'p1' },
    ]);
  });

  it('requests all changes since its responses when the first attempt is rejected, despite later positions', async () => {
    const respondNormally = respond;
    respond = () => ({ ok: false, error: { code: 'rate_limited', message: 'Too many events at once' } });
    subscription.resubscribe();
    await advance(1_000);
    subscription.setPosition('p9');
    respond = respondNormally;
    await advance(10_000);
    expect(payloads).toEqual([
      { tags: ['projects'], maxAgeMs: 1_000 },
      { tags: ['projects'], maxAgeMs: 1_000 },
    ]);
  });

  it('sends nothing after it is stopped, even with a request in flight', async () => {
    subscription.resubscribe();
    await advance(10);
    subscription.stop();
    await advance(200_000);
    expect(payloads).toHaveLength(1);
    expect(missed).toEqual([]);
  });

  it('waits for a connection', async () => {
    isConnected = false;
    subscription.syncNow();
    await advance(1_000);
    expect(payloads).toEqual([]);
    isConnected = true;
    subscription.resubscribe();
    await advance(100);
    expect(payloads).toHaveLength(1);
  });
});
