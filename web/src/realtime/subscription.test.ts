import type { Topic } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createTopicSync, type TopicSync } from './sync-topics.ts';

type Subscription = Parameters<Parameters<typeof createTopicSync>[0]['send']>[0];

let topics: Topic[];
let isConnected: boolean;
let subscriptions: Subscription[];
let respond: () => Awaited<ReturnType<Parameters<typeof createTopicSync>[0]['send']>>;
let replayed: unknown[];
let topicSync: TopicSync;

beforeEach(() => {
  jest.useFakeTimers();
  topics = ['projects'];
  isConnected = true;
  subscriptions = [];
  replayed = [];
  respond = () => ({
    ok: true,
    data: { position: `p${subscriptions.length}`, changes: subscriptions.length === 1 ? null : [] },
  });
  topicSync = createTopicSync({
    selectTopics: () => topics,
    isConnected: () => isConnected,
    maxDataAgeMs: () => 1_000,
    send: async (payload) => {
      subscriptions.push(payload);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return respond();
    },
    applyReplayed: (changes) => replayed.push(changes),
  });
});

afterEach(() => {
  topicSync.stop();
  jest.useRealTimers();
});

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('createTopicSync', () => {
  it('subscribes on connect and again when the topics change', async () => {
    topicSync.resubscribe();
    await advance(100);
    expect(subscriptions).toEqual([{ topics: ['projects'], maxAgeMs: 1_000 }]);
    topicSync.syncNow();
    await advance(1_000);
    expect(subscriptions).toHaveLength(1);
    topics = ['people'];
    topicSync.syncNow();
    topics = ['documents'];
    topicSync.syncNow();
    await advance(1_000);
    expect(subscriptions.slice(1)).toEqual([{ topics: ['documents'], afterPosition: 'p1' }]);
    expect(replayed).toEqual([null, []]);
  });

  it('subscribes again when the topics changed during the request', async () => {
    topicSync.resubscribe();
    await advance(10);
    topics = ['people'];
    topicSync.syncNow();
    await advance(1_000);
    expect(subscriptions.map(({ topics }) => topics)).toEqual([['projects'], ['people']]);
  });

  it('sends its position on a new connection and ignores the response on the old one', async () => {
    topicSync.resubscribe();
    await advance(100);
    topicSync.setPosition('p7');
    topicSync.resubscribe();
    await advance(10);
    topicSync.resubscribe();
    await advance(1_000);
    expect(subscriptions.slice(1)).toEqual([
      { topics: ['projects'], afterPosition: 'p7' },
      { topics: ['projects'], afterPosition: 'p7' },
    ]);
    expect(replayed).toHaveLength(2);
  });

  it('retries when no response arrives', async () => {
    let isResponding = false;
    const respondNormally = respond;
    respond = () => {
      if (!isResponding) throw new Error('Connection timeout');
      return respondNormally();
    };
    topicSync.resubscribe();
    await advance(1_000);
    isResponding = true;
    await advance(10_000);
    expect(subscriptions).toHaveLength(2);
    expect(replayed).toHaveLength(1);
  });

  it('requests changes from before a query was observed, despite later positions', async () => {
    topicSync.resubscribe();
    await advance(100);
    topics = ['people'];
    topicSync.syncNow();
    topicSync.setPosition('p9');
    await advance(60);
    topics = ['documents'];
    topicSync.syncNow();
    topicSync.setPosition('p10');
    await advance(1_000);
    expect(subscriptions.slice(1)).toEqual([
      { topics: ['people'], afterPosition: 'p1' },
      { topics: ['documents'], afterPosition: 'p9' },
    ]);
    topicSync.syncNow();
    await advance(1_000);
    topicSync.setPosition('p11');
    topics = ['projects'];
    topicSync.syncNow();
    await advance(1_000);
    expect(subscriptions.at(-1)).toEqual({ topics: ['projects'], afterPosition: 'p11' });
  });

  it('retries from its position when the server temporarily rejects it', async () => {
    topicSync.resubscribe();
    await advance(100);
    const respondNormally = respond;
    respond = () => ({ ok: false, error: { code: 'rate_limited', message: 'Too many events at once' } });
    topics = ['people'];
    topicSync.syncNow();
    await advance(1_000);
    topicSync.setPosition('p9');
    respond = respondNormally;
    await advance(10_000);
    expect(subscriptions.slice(1)).toEqual([
      { topics: ['people'], afterPosition: 'p1' },
      { topics: ['people'], afterPosition: 'p1' },
    ]);
  });

  it('requests all changes since its responses when the first attempt is rejected, despite later positions', async () => {
    const respondNormally = respond;
    respond = () => ({ ok: false, error: { code: 'rate_limited', message: 'Too many events at once' } });
    topicSync.resubscribe();
    await advance(1_000);
    topicSync.setPosition('p9');
    respond = respondNormally;
    await advance(10_000);
    expect(subscriptions).toEqual([
      { topics: ['projects'], maxAgeMs: 1_000 },
      { topics: ['projects'], maxAgeMs: 1_000 },
    ]);
  });

  it('sends nothing after it is stopped, even with a request in flight', async () => {
    topicSync.resubscribe();
    await advance(10);
    topicSync.stop();
    await advance(200_000);
    expect(subscriptions).toHaveLength(1);
    expect(replayed).toEqual([]);
  });

  it('waits for a connection', async () => {
    isConnected = false;
    topicSync.syncNow();
    await advance(1_000);
    expect(subscriptions).toEqual([]);
    isConnected = true;
    topicSync.resubscribe();
    await advance(100);
    expect(subscriptions).toHaveLength(1);
  });
});
