import type { Topic } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type TopicWatch, watchTopics } from './sync-topics.ts';

type Watched = Parameters<Parameters<typeof watchTopics>[0]['send']>[0];

let shown: Topic[];
let isConnected: boolean;
let sent: Watched[];
let answer: () => Awaited<ReturnType<Parameters<typeof watchTopics>[0]['send']>>;
let caughtUp: unknown[];
let watch: TopicWatch;

beforeEach(() => {
  jest.useFakeTimers();
  shown = ['projects'];
  isConnected = true;
  sent = [];
  caughtUp = [];
  answer = () => ({ ok: true, data: { position: `p${sent.length}`, changes: sent.length === 1 ? null : [] } });
  watch = watchTopics({
    topics: () => shown,
    isConnected: () => isConnected,
    shownForMs: () => 1_000,
    send: async (payload) => {
      sent.push(payload);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return answer();
    },
    catchUp: (changes) => caughtUp.push(changes),
  });
});

afterEach(() => {
  watch.stop();
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('a browser', () => {
  it('says what it shows when it connects, and again when that has changed', async () => {
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

  it('says it once more when it changed while it was said', async () => {
    watch.resubscribe();
    await pass(10);
    shown = ['people'];
    watch.syncNow();
    await pass(1_000);
    expect(sent.map(({ topics }) => topics)).toEqual([['projects'], ['people']]);
  });

  it('says on a new connection up to where it was told, and drops the answer of the old one', async () => {
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

  it('says it again where no answer came', async () => {
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

  it('is told again from before it showed something, whatever it was told meanwhile', async () => {
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

  it('says it again, from where it was, when it is refused for now', async () => {
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

  it('is told of all since its answers where the first try is refused, whatever it was told meanwhile', async () => {
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

  it('says nothing more once it is stopped, also where an answer was on its way', async () => {
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
