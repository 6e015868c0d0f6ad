import type { Topic } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type TopicWatch, watchTopics } from './watch-topics.ts';

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
    watch.begin();
    await pass(100);
    expect(sent).toEqual([{ topics: ['projects'], sinceMs: 1_000 }]);
    watch.look();
    await pass(1_000);
    expect(sent).toHaveLength(1);
    shown = ['people'];
    watch.look();
    shown = ['documents'];
    watch.look();
    await pass(1_000);
    expect(sent.slice(1)).toEqual([{ topics: ['documents'], since: 'p1' }]);
    expect(caughtUp).toEqual([null, []]);
  });

  it('says it once more when it changed while it was said', async () => {
    watch.begin();
    await pass(10);
    shown = ['people'];
    watch.look();
    await pass(1_000);
    expect(sent.map(({ topics }) => topics)).toEqual([['projects'], ['people']]);
  });

  it('says on a new connection up to where it was told, and drops the answer of the old one', async () => {
    watch.begin();
    await pass(100);
    watch.reach('p7');
    watch.reach(undefined);
    watch.begin();
    await pass(10);
    watch.begin();
    await pass(1_000);
    expect(sent.slice(1)).toEqual([
      { topics: ['projects'], since: 'p7' },
      { topics: ['projects'], since: 'p7' },
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
    watch.begin();
    await pass(1_000);
    isAnswering = true;
    await pass(10_000);
    expect(sent).toHaveLength(2);
    expect(caughtUp).toHaveLength(1);
  });

  it('is told again from before it showed something, whatever it was told meanwhile', async () => {
    watch.begin();
    await pass(100);
    shown = ['people'];
    watch.look();
    watch.reach('p9');
    await pass(60);
    shown = ['documents'];
    watch.look();
    watch.reach('p10');
    await pass(1_000);
    expect(sent.slice(1)).toEqual([
      { topics: ['people'], since: 'p1' },
      { topics: ['documents'], since: 'p9' },
    ]);
    watch.look();
    await pass(1_000);
    watch.reach('p11');
    shown = ['projects'];
    watch.look();
    await pass(1_000);
    expect(sent.at(-1)).toEqual({ topics: ['projects'], since: 'p11' });
  });

  it('says it again, from where it was, when it is refused for now', async () => {
    watch.begin();
    await pass(100);
    const given = answer;
    answer = () => ({ ok: false, error: { code: 'rate_limited', message: 'Too many events at once' } });
    shown = ['people'];
    watch.look();
    await pass(1_000);
    watch.reach('p9');
    answer = given;
    await pass(10_000);
    expect(sent.slice(1)).toEqual([
      { topics: ['people'], since: 'p1' },
      { topics: ['people'], since: 'p1' },
    ]);
  });

  it('is told of all since its answers where the first try is refused, whatever it was told meanwhile', async () => {
    const given = answer;
    answer = () => ({ ok: false, error: { code: 'rate_limited', message: 'Too many events at once' } });
    watch.begin();
    await pass(1_000);
    watch.reach('p9');
    answer = given;
    await pass(10_000);
    expect(sent).toEqual([
      { topics: ['projects'], sinceMs: 1_000 },
      { topics: ['projects'], sinceMs: 1_000 },
    ]);
  });

  it('says nothing more once it is stopped, also where an answer was on its way', async () => {
    watch.begin();
    await pass(10);
    watch.stop();
    await pass(200_000);
    expect(sent).toHaveLength(1);
    expect(caughtUp).toEqual([]);
  });

  it('waits for a connection', async () => {
    isConnected = false;
    watch.look();
    await pass(1_000);
    expect(sent).toEqual([]);
    isConnected = true;
    watch.begin();
    await pass(100);
    expect(sent).toHaveLength(1);
  });
});
