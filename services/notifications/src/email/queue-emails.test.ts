import { describe, expect, it } from '@jest/globals';
import { getSendTime } from './queue-emails.ts';

const NOW = new Date('2027-01-01T12:00:00.000Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const sent = (event: string, secondsAgo: number) => ({
  mailingId: `${event}:updated`,
  state: 'sent' as const,
  attempts: 1,
  nextAttemptAt: after(-secondsAgo),
  settledAt: after(-secondsAgo),
});
const queued = (event: string, inSeconds: number, attempts = 0) => ({
  mailingId: `${event}:updated`,
  state: 'queued' as const,
  attempts,
  nextAttemptAt: after(inSeconds),
  settledAt: null,
});
const getNextSendTime = (...recent: Parameters<typeof getSendTime>[0]) =>
  getSendTime(recent, { eventId: 'new', now: NOW });

describe('the send time of an email about a topic', () => {
  it('is now for the first email, and for one long after the previous one', () => {
    expect(getNextSendTime()).toEqual(NOW);
    expect(getNextSendTime(sent('a', 60))).toEqual(NOW);
  });

  it('is delayed more with each sent email, up to five minutes', () => {
    const times = [1, 2, 3, 4, 5, 6, 20].map((count) =>
      getNextSendTime(...Array.from({ length: count }, (_, index) => sent(`event-${index}`, index))),
    );
    expect(times).toEqual([2, 6, 18, 54, 162, 300, 300].map(after));
  });

  it('is the send time of the queued email, so that continuous changes do not postpone it', () => {
    expect(getNextSendTime(sent('a', 5), queued('b', 1))).toEqual(after(1));
  });

  it('counts a due email that may be in flight as sent now', () => {
    expect(getNextSendTime(queued('a', -1))).toEqual(after(2));
  });

  it('counts all emails that could not be sent yet as one', () => {
    expect(getNextSendTime(queued('a', -30, 2), queued('b', -20, 1), queued('c', -1))).toEqual(after(2));
    expect(getNextSendTime(sent('a', 1), queued('b', -20, 1), queued('c', -1))).toEqual(after(6));
  });

  it('does not wait for the retry of a failed email', () => {
    expect(getNextSendTime(queued('a', 3_600, 3))).toEqual(after(2));
  });

  it('is the same for all emails of one event, which count as one', () => {
    expect(getNextSendTime(sent('a', 1), queued('new', -3))).toEqual(after(-3));
    expect(getNextSendTime(sent('a', 0), sent('a', 0), sent('a', 0))).toEqual(after(2));
  });
});
