import { describe, expect, it } from '@jest/globals';
import { type Span, trackAcknowledgedWrites } from './acknowledged-writes.ts';
import { checkDelivery, describeDelivery, formatShare, listSentMessages, type SentMessage } from './delivery.ts';

/** One message every 100 ms for a minute, each acknowledged after 20 ms. */
const sent: SentMessage[] = Array.from({ length: 600 }, (_, n) => ({ id: `m${n}`, from: n * 100, to: n * 100 + 20 }));
const listIds = (messages: readonly SentMessage[]) => messages.map(({ id }) => id);
const createListener = (who: string, delivered: readonly string[], outages: Span[] = []) => ({
  who,
  delivered: new Set(delivered),
  outages: () => outages,
});
const completeListeners = ['maya', 'jonas', 'aiko', 'rui', 'ines'].map((who) => createListener(who, listIds(sent)));

describe('checkDelivery', () => {
  it('passes if every message was delivered', () => {
    const delivery = checkDelivery(completeListeners, sent);
    expect(delivery).toEqual({ expectedCount: 3_000, deliveredCount: 3_000, failures: [] });
    expect(describeDelivery(delivery)).toBe('100 % of 3000 expected deliveries arrived through the socket');
  });

  it('fails if a listener receives nothing through its socket', () => {
    const delivery = checkDelivery([...completeListeners, createListener('tariq', [])], sent);
    expect(delivery.failures).toEqual(['tariq got 0 of 600']);
    expect(formatShare(delivery)).toBe('83.3 %');
  });

  it('fails if a listener receives nothing after a reconnect', () => {
    const reconnected = createListener('tariq', listIds(sent.slice(0, 500)), [{ from: 50_000, to: 51_000 }]);
    expect(checkDelivery([...completeListeners.slice(0, 2), reconnected], sent).failures).toEqual([
      expect.stringMatching(/^tariq got 4\d\d/),
    ]);
  });

  it('ignores messages sent during or near an outage of the socket', () => {
    const from = 20_000;
    const to = 25_000;
    const received = sent.filter((message) => message.to < from - 900 || message.from > to + 900);
    expect(checkDelivery([createListener('tariq', listIds(received), [{ from, to }])], sent).failures).toEqual([]);
    // All other messages are required.
    const tooFew = sent.filter((message) => message.to < from - 900 || message.from > to + 9_000);
    expect(checkDelivery([createListener('tariq', listIds(tooFew), [{ from, to }])], sent).failures).toHaveLength(1);
  });

  it('ignores messages sent during an injected failure, including those acknowledged later', () => {
    const injectedFailure = { from: 10_000, to: 12_000 };
    const slow = { id: 'slow', from: 11_000, to: 19_000 };
    const received = sent.filter(({ from }) => from < 8_990 || from > 13_000);
    const { expectedCount, deliveredCount, failures } = checkDelivery(
      [createListener('tariq', listIds(received))],
      [...sent, slow],
      [injectedFailure],
    );
    expect({ expectedCount, failures }).toEqual({ expectedCount: deliveredCount, failures: [] });
    expect(expectedCount).toBeGreaterThan(500);
  });

  it('tolerates one percent of missing messages and reports the share', () => {
    const delivery = checkDelivery([createListener('maya', listIds(sent.slice(6)))], sent);
    expect(delivery.failures).toEqual([]);
    expect(formatShare(delivery)).toBe('99.0 %');
    expect(checkDelivery([createListener('maya', listIds(sent.slice(7)))], sent).failures).toEqual([
      'maya got 593 of 600',
    ]);
  });

  it('fails if no message could be checked', () => {
    const disconnected = createListener('maya', [], [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }]);
    expect(checkDelivery([disconnected], sent).failures).toEqual([expect.stringContaining('no message was sent')]);
  });

  it('lists acknowledged messages as sent from the time of their request', () => {
    const tracker = trackAcknowledgedWrites();
    const requestedAt = performance.now() - 500;
    tracker.acknowledge({
      kind: 'message',
      path: '/chat/messages#m1',
      who: 'maya',
      fields: { seq: 1 },
      requestedAt,
    });
    tracker.acknowledge({ kind: 'task', path: '/tasks/1', who: 'maya', fields: {} });
    expect(listSentMessages(tracker)).toEqual([{ id: 'm1', from: requestedAt, to: expect.any(Number) }]);
    expect(listSentMessages(tracker, { to: requestedAt })).toEqual([]);
  });
});
