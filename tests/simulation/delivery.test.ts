import { describe, expect, it } from '@jest/globals';
import { type Span, trackAcknowledgedWrites } from './acknowledged-writes.ts';
import { checkDelivery, describeDelivery, listSentMessages, type SentMessage, formatShare } from './delivery.ts';

/** A message every tenth of a second for a minute, each acknowledged after 20 ms. */
const sent: SentMessage[] = Array.from({ length: 600 }, (_, n) => ({ id: `m${n}`, from: n * 100, to: n * 100 + 20 }));
const ids = (some: readonly SentMessage[]) => some.map(({ id }) => id);
const listener = (who: string, delivered: readonly string[], outages: Span[] = []) => ({
  who,
  delivered: new Set(delivered),
  outages: () => outages,
});
const whole = ['maya', 'jonas', 'aiko', 'rui', 'ines'].map((who) => listener(who, ids(sent)));

describe('checkDelivery', () => {
  it('passes if every message was delivered', () => {
    const delivery = checkDelivery(whole, sent);
    expect(delivery).toEqual({ due: 3_000, came: 3_000, failures: [] });
    expect(describeDelivery(delivery)).toBe('100 % of 3000 expected deliveries arrived through the socket');
  });

  it('fails if a pod never delivers, even if its sockets caught up over HTTP', () => {
    const delivery = checkDelivery([...whole, listener('tariq', [])], sent);
    expect(delivery.failures).toEqual(['tariq got 0 of 600']);
    expect(formatShare(delivery)).toBe('83.3 %');
  });

  it('fails if a pod that started late delivers nothing', () => {
    const late = listener('tariq', ids(sent.slice(0, 500)), [{ from: 50_000, to: 51_000 }]);
    expect(checkDelivery([...whole.slice(0, 2), late], sent).failures).toEqual([
      expect.stringMatching(/^tariq got 4\d\d/),
    ]);
  });

  it('ignores messages sent during or near an outage of the socket', () => {
    const [from, to] = [20_000, 25_000];
    const received = sent.filter((message) => message.to < from - 900 || message.from > to + 900);
    expect(checkDelivery([listener('tariq', ids(received), [{ from, to }])], sent).failures).toEqual([]);
    // All other messages are required.
    const more = sent.filter((message) => message.to < from - 900 || message.from > to + 9_000);
    expect(checkDelivery([listener('tariq', ids(more), [{ from, to }])], sent).failures).toHaveLength(1);
  });

  it('ignores messages sent during an injected failure, including those acknowledged later', () => {
    const cause = { from: 10_000, to: 12_000 };
    const slow = { id: 'slow', from: 11_000, to: 19_000 };
    const received = sent.filter(({ from }) => from < 8_990 || from > 13_000);
    const { due, came, failures } = checkDelivery([listener('tariq', ids(received))], [...sent, slow], [cause]);
    expect({ due, failures }).toEqual({ due: came, failures: [] });
    expect(due).toBeGreaterThan(500);
  });

  it('tolerates one percent of missing messages, and shows it', () => {
    const delivery = checkDelivery([listener('maya', ids(sent.slice(6)))], sent);
    expect(delivery.failures).toEqual([]);
    expect(formatShare(delivery)).toBe('99.0 %');
    expect(checkDelivery([listener('maya', ids(sent.slice(7)))], sent).failures).toEqual(['maya got 593 of 600']);
  });

  it('fails if no message could be checked', () => {
    const never = listener('maya', [], [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }]);
    expect(checkDelivery([never], sent).failures).toEqual([expect.stringContaining('no message was sent')]);
  });

  it('covers acknowledged messages from the time of their request', () => {
    const tracker = trackAcknowledgedWrites();
    const asked = performance.now() - 500;
    tracker.acknowledge({
      kind: 'message',
      path: '/chat/messages#m1',
      who: 'maya',
      fields: { seq: 1 },
      requestedAt: asked,
    });
    tracker.acknowledge({ kind: 'task', path: '/tasks/1', who: 'maya', fields: {} });
    expect(listSentMessages(tracker)).toEqual([{ id: 'm1', from: asked, to: expect.any(Number) }]);
    expect(listSentMessages(tracker, { to: asked })).toEqual([]);
  });
});
