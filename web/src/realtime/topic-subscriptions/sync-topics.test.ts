import type { Topic } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type TopicSync, syncTopics } from './sync-topics.ts';

type Watched = Parameters<Parameters<typeof syncTopics>[0]['send']>[0];

let shown: Topic[];
let isConnected: boolean;
let sent: Watched[];
let answer: () => Awaited<ReturnType<Parameters<typeof syncTopics>[0]['send']>>;
let caughtUp: unknown[];
let watch: TopicSync;

beforeEach(() => {
  jest.useFakeTimers();
  shown = ['projects'];
  isConnected = true;
  sent = [];
  caughtUp = [];
  answer = () => ({ ok: true, data: { position: `p${sent.length}`, changes: sent.length === 1 ? null : [] } });
  watch = syncTopics({
    topics: () => shown,
    isConnected: () => isConnected,
    maxDataAgeMs: () => 1_000,
    send: async (payload) => {
      sent.push(payload);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return answer();
    },
    applyReplayed: (changes) => caughtUp.push(changes),
  });
});

afterEach(() => {
  watch.stop();
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('syncTopics', () => {
  it('subscribes on connect and again when the topics change', async () => {
    watch.resubscribe();
    await pass(100);
    expect(sent).toEqual([{ topics: ['projects'], maxAgeMs: 1_000 }]);
    watch.syncNow();
    await pass(1_000);
    expect(sent).toHaveLength(1);
    shown = ['people'];
    watch.syncNow();
    shown = ['documents'];
    watch.syncNow();
    await pass(1_000);
    expect(sent.slice(1)).toEqual([{ topics: ['documents'], afterPosition: 'p1' }]);
    expect(caughtUp).toEqual([null, []]);
  });

  it('subscribes again when the topics changed during the request', async () => {
    watch.resubscribe();
    await pass(10);
    shown = ['people'];
    watch.syncNow();
    await pass(1_000);
    expect(sent.map(({ topics }) => topics)).toEqual([['projects'], ['people']]);
  });

  it('sends its position on a new connection and ignores the response on the old one', async () => {
    watch.resubscribe();
    await pass(100);
    watch.setPosition('p7');
    watch.setPosition(undefined);
    watch.resubscribe();
    await pass(10);
    watch.resubscribe();
    await pass(1_000);
    expect(sent.slice(1)).toEqual([
      { topics: ['projects'], afterPosition: 'p7' },
      { topics: ['projects'], afterPosition: 'p7' },
    ]);
    expect(caughtUp).toHaveLength(2);
  });

  it('retries when no response arrives', async () => {
    let isAnswering = false;
    const given = answer;
    answer = () => {
      if (!isAnswering) throw new Error('Connection timeout');
      return given();
    };
    watch.resubscribe();
    await pass(1_000);
    isAnswering = true;
    await pass(10_000);
    expect(sent).toHaveLength(2);
    expect(caughtUp).toHaveLength(1);
  });

  it('requests changes from before a query was observed, despite later positions', async () => {
    watch.resubscribe();
    await pass(100);
    shown = ['people'];
    watch.syncNow();
    watch.setPosition('p9');
    await pass(60);
    shown = ['documents'];
    watch.syncNow();
    watch.setPosition('p10');
    await pass(1_000);
    expect(sent.slice(1)).toEqual([
      { topics: ['people'], afterPosition: 'p1' },
      { topics: ['documents'], afterPosition: 'p9' },
    ]);
    watch.syncNow();
    await pass(1_000);
    watch.setPosition('p11');
    shown = ['projects'];
    watch.syncNow();
    await pass(1_000);
    expect(sent.at(-1)).toEqual({ topics: ['projects'], afterPosition: 'p11' });
  });

  it('retries from its position when the server temporarily rejects it', async () => {
    watch.resubscribe();
    await pass(100);
    const given = answer;
    answer = () => ({ ok: false, error: { code: 'rate_limited', message: 'Too many events at once' } });
    shown = ['people'];
    watch.syncNow();
    await pass(1_000);
    watch.setPosition('p9');
    answer = given;
    await pass(10_000);
    expect(sent.slice(1)).toEqual([
      { topics: ['people'], afterPosition: 'p1' },
      { topics: ['people'], afterPosition: 'p1' },
    ]);
  });

  it('requests all changes since its responses when the first attempt is rejected, despite later positions', async () => {
    const given = answer;
    answer = () => ({ ok: false, error: { code: 'rate_limited', message: 'Too many events at once' } });
    watch.resubscribe();
    await pass(1_000);
    watch.setPosition('p9');
    answer = given;
    await pass(10_000);
    expect(sent).toEqual([
      { topics: ['projects'], maxAgeMs: 1_000 },
      { topics: ['projects'], maxAgeMs: 1_000 },
    ]);
  });

  it('sends nothing after it is stopped, even with a request in flight', async () => {
    watch.resubscribe();
    await pass(10);
    watch.stop();
    await pass(200_000);
    expect(sent).toHaveLength(1);
    expect(caughtUp).toEqual([]);
  });

  it('waits for a connection', async () => {
    isConnected = false;
    watch.syncNow();
    await pass(1_000);
    expect(sent).toEqual([]);
    isConnected = true;
    watch.resubscribe();
    await pass(100);
    expect(sent).toHaveLength(1);
  });
});
