import { describe, expect, it } from '@jest/globals';
import { type Span, trackAcknowledgedWrites } from './acknowledged-writes.ts';
import { describeDelivery, judgeDelivery, messagesIn, type Sent, shareOf } from './delivery.ts';

/** A message every tenth of a second for a minute; each is acknowledged after 20 ms. */
const sent: Sent[] = Array.from({ length: 600 }, (_, n) => ({ id: `m${n}`, from: n * 100, to: n * 100 + 20 }));
const ids = (some: readonly Sent[]) => some.map(({ id }) => id);
const listener = (who: string, delivered: readonly string[], troubles: Span[] = []) => ({
  who,
  delivered: new Set(delivered),
  troubles: () => troubles,
});
const whole = ['maya', 'jonas', 'aiko', 'rui', 'ines'].map((who) => listener(who, ids(sent)));

describe('the delivery of messages by sockets', () => {
  it('is as it should be where each came', () => {
    const delivery = judgeDelivery(whole, sent);
    expect(delivery).toEqual({ due: 3_000, came: 3_000, faults: [] });
    expect(describeDelivery(delivery)).toBe(
      '100 % of 3000 deliveries while nothing was in trouble came by the socket itself',
    );
  });

  it('fails where one pod never delivers, whatever its sockets have heard by asking', () => {
    const delivery = judgeDelivery([...whole, listener('tariq', [])], sent);
    expect(delivery.faults).toEqual(['tariq got 0 of 600']);
    expect(shareOf(delivery)).toBe('83.3 %');
  });

  it('fails where a pod that came late delivers nothing from then on', () => {
    const late = listener('tariq', ids(sent.slice(0, 500)), [{ from: 50_000, to: 51_000 }]);
    expect(judgeDelivery([...whole.slice(0, 2), late], sent).faults).toEqual([
      expect.stringMatching(/^tariq got 4\d\d/),
    ]);
  });

  it('asks for nothing that was sent while the socket was away, or just before or after', () => {
    const [from, to] = [20_000, 25_000];
    const heard = sent.filter((message) => message.to < from - 900 || message.from > to + 900);
    expect(judgeDelivery([listener('tariq', ids(heard), [{ from, to }])], sent).faults).toEqual([]);
    // And for all else.
    const more = sent.filter((message) => message.to < from - 900 || message.from > to + 9_000);
    expect(judgeDelivery([listener('tariq', ids(more), [{ from, to }])], sent).faults).toHaveLength(1);
  });

  it('asks for nothing while something goes wrong on purpose, nor for what was asked for then and acknowledged later', () => {
    const cause = { from: 10_000, to: 12_000 };
    const slow = { id: 'slow', from: 11_000, to: 19_000 };
    const heard = sent.filter(({ from }) => from < 8_990 || from > 13_000);
    const { due, came, faults } = judgeDelivery([listener('tariq', ids(heard))], [...sent, slow], [cause]);
    expect({ due, faults }).toEqual({ due: came, faults: [] });
    expect(due).toBeGreaterThan(500);
  });

  it('forgives one of a hundred, and shows it', () => {
    const delivery = judgeDelivery([listener('maya', ids(sent.slice(6)))], sent);
    expect(delivery.faults).toEqual([]);
    expect(shareOf(delivery)).toBe('99.0 %');
    expect(judgeDelivery([listener('maya', ids(sent.slice(7)))], sent).faults).toEqual(['maya got 593 of 600']);
  });

  it('fails where nothing could be judged', () => {
    const never = listener('maya', [], [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }]);
    expect(judgeDelivery([never], sent).faults).toEqual([expect.stringContaining('no message was sent')]);
  });

  it('is of the messages that the ledger has, from when each was asked for', () => {
    const ledger = trackAcknowledgedWrites();
    const asked = performance.now() - 500;
    ledger.acknowledge({ kind: 'message', path: '/chat/messages#m1', who: 'maya', fields: { seq: 1 }, asked });
    ledger.acknowledge({ kind: 'task', path: '/tasks/1', who: 'maya', fields: {} });
    expect(messagesIn(ledger)).toEqual([{ id: 'm1', from: asked, to: expect.any(Number) }]);
    expect(messagesIn(ledger, { to: asked })).toEqual([]);
  });
});
