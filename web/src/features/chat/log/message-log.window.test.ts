import type { Message } from '@atrium/proto-events/http/chat/messages';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildMessage } from '#test/build-message.ts';
import {
  EMPTY_LOG,
  hasMissedChanges,
  isBehind,
  lastSeq,
  type MessageLog,
  trimmedToWindow,
  withDeleted,
  withMissed,
  withNewer,
  withNewest,
  withOlder,
  withPageAround,
  withReceived,
  withRevision,
  withUnloadedEnd,
} from './message-log.ts';

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => buildMessage(from + index));
const seqs = ({ messages }: MessageLog) => messages.map(({ seq }) => seq);
const page = (from: number, to: number, hasMore = false) => ({ data: range(from, to), hasMore, revision: 0 });
const around = withPageAround(EMPTY_LOG, page(41, 60, true), 50);

describe('log window', () => {
  it('opens around a message, with more on both sides', () => {
    expect(around).toMatchObject({ hasOlder: true, hasNewer: true, anchor: 50, windowNumber: 1, isLoaded: true });
    expect(withPageAround(EMPTY_LOG, page(1, 9), 5)).toMatchObject({ hasOlder: false, hasNewer: false });
  });

  it('accepts nothing after its end except the next page', () => {
    const announcedLog = withReceived(around, [buildMessage(61), buildMessage(99)]);
    expect(seqs(announcedLog)).toEqual(seqs(around));
    expect(isBehind(announcedLog)).toBe(false);
    expect(lastSeq(withNewer(announcedLog, page(61, 80, true)))).toBe(80);
    expect(withNewer(announcedLog, page(70, 80))).toBe(announcedLog);
  });

  it('reaches the end only once it contains every known message', () => {
    const announcedLog = withReceived(around, [buildMessage(81)]);
    const read = withNewer(announcedLog, page(61, 80));
    expect(read.hasNewer).toBe(true);
    const end = withNewer(read, page(81, 81));
    expect(end.hasNewer).toBe(false);
    expect(lastSeq(withReceived(end, [buildMessage(82)]))).toBe(82);
  });

  it('keeps its revision for an empty page, and takes that of an older page', () => {
    const log = { ...around, revision: 700 };
    const emptyPage = { data: [], hasMore: false, revision: 0 };
    for (const read of [withMissed, withNewer, withOlder]) expect(read(log, emptyPage).revision).toBe(700);
    expect(withNewest(log, emptyPage).revision).toBe(700);
    expect(withNewer(log, { ...page(61, 80), revision: 699 }).revision).toBe(699);
  });

  it('ignores a page that arrives after the window was dropped', () => {
    expect(withMissed(EMPTY_LOG, page(61, 80))).toBe(EMPTY_LOG);
  });

  it('ignores a page of a previous window', () => {
    expect(withOlder(around, page(1, 20))).toBe(around);
    expect(lastSeq(withOlder(around, page(21, 40, true)))).toBe(60);
  });

  it('continues with an adjacent newest page, otherwise restarts', () => {
    expect(withNewest(around, page(55, 70, true))).toMatchObject({ windowNumber: 1, hasNewer: false });
    expect(withNewest(around, page(200, 210, true))).toMatchObject({ windowNumber: 2, hasNewer: false, anchor: null });
  });

  it('keeps its place when the end moves far away', () => {
    const farBehind = withUnloadedEnd(withNewest(EMPTY_LOG, page(1, 50)), 9_000);
    expect(seqs(withReceived(farBehind, [buildMessage(9_001)]))).toEqual(seqs(farBehind));
    expect(farBehind).toMatchObject({ hasNewer: true, lastKnownSeq: 9_000 });
  });

  it('drops messages farthest from the visible ones', () => {
    const long = withNewest(EMPTY_LOG, page(1, 2_400));
    expect(seqs(trimmedToWindow(long, 2_390)).at(0)).toBe(401);
    expect(trimmedToWindow(long, 2_390)).toMatchObject({ hasOlder: true, hasNewer: false });
    expect(lastSeq(trimmedToWindow(long, 30))).toBe(2_000);
    expect(trimmedToWindow(long, 30)).toMatchObject({ hasNewer: true });
    const short = withNewest(EMPTY_LOG, page(1, 2_050));
    expect(trimmedToWindow(short, 1)).toBe(short);
  });
});

class Server {
  readonly messages: Message[] = [];
  readonly changes: number[] = [];
  send(): Message {
    const message = buildMessage(this.messages.length + 1);
    this.messages.push(message);
    return message;
  }
  change(seq: number, isDeletion: boolean): Message {
    const message = this.messages[seq - 1] ?? buildMessage(seq);
    this.changes.push(seq);
    const updatedAt = new Date(Date.UTC(2027, 0, 1) + this.changes.length).toISOString();
    const changed = isDeletion
      ? { ...message, content: '', deleted: true, updatedAt }
      : message.deleted
        ? message
        : { ...message, content: `revision ${this.changes.length}`, updatedAt };
    this.messages[seq - 1] = changed;
    return changed;
  }
  page(after: number, limit: number) {
    const data = this.messages.slice(after, after + limit);
    return { data, hasMore: this.messages.length > after + limit, revision: this.changes.length };
  }
  before(seq: number, limit: number) {
    const from = Math.max(0, seq - 1 - limit);
    return { data: this.messages.slice(from, seq - 1), hasMore: from > 0, revision: this.changes.length };
  }
  changedAfter(revision: number) {
    const seqs = new Set(this.changes.slice(revision));
    return { data: this.messages.filter(({ seq }) => seqs.has(seq)), revision: this.changes.length };
  }
}

const LIMIT = 5;
const at = fc.nat(60);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), isLost: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('change' as const), at, isDeletion: fc.boolean(), isLost: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('jump' as const), at }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('changeWhileReading' as const),
      at,
      isDeletion: fc.boolean(),
      reads: fc.constantFrom('older' as const, 'newer' as const, 'newest' as const, 'missed' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('changeWhileOpening' as const), at, isDeletion: fc.boolean() }),
  },
  ...(['older', 'newer', 'newest', 'reconnect', 'fit'] as const).map((kind) => ({
    weight: 2,
    arbitrary: fc.record({ do: fc.constant(kind), at }),
  })),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function follow(log: MessageLog, server: Server, next: Step): MessageLog {
  const size = server.messages.length;
  switch (next.do) {
    case 'send': {
      const message = server.send();
      return next.isLost ? log : withReceived(log, [message]);
    }
    case 'change': {
      if (size === 0) return log;
      const changed = server.change((next.at % size) + 1, next.isDeletion);
      if (next.isLost) return log;
      const changedLog = changed.deleted ? withDeleted(log, changed.seq) : withReceived(log, [changed]);
      return withRevision(changedLog, server.changes.length);
    }
    case 'jump': {
      if (size === 0) return log;
      const seq = (next.at % size) + 1;
      return withPageAround(log, server.page(Math.max(0, seq - 3), LIMIT), seq);
    }
    case 'changeWhileOpening': {
      const seq = (next.at % Math.max(1, size)) + 1;
      const page = size === 0 ? server.before(1, LIMIT) : server.page(Math.max(0, seq - 3), LIMIT);
      const changed = follow(log, server, { ...next, do: 'change', isLost: false });
      return size === 0 ? withNewest(changed, page) : withPageAround(changed, page, seq);
    }
    case 'changeWhileReading': {
      const arrive = requestPage(log, server, next.reads);
      return arrive(follow(log, server, { ...next, do: 'change', isLost: false }));
    }
    case 'older':
    case 'newer':
    case 'newest':
      return requestPage(log, server, next.do)(log);
    case 'fit':
      return trimmedToWindow(log, next.at, 2 * LIMIT);
    case 'reconnect':
      return caughtUp(log, server);
  }
}

function requestPage(log: MessageLog, server: Server, kind: 'older' | 'newer' | 'newest' | 'missed') {
  const first = log.messages[0]?.seq ?? 1;
  const older = server.before(first, LIMIT);
  const later = server.page(lastSeq(log), LIMIT);
  const newest = server.before(server.messages.length + 1, LIMIT);
  return (now: MessageLog): MessageLog => {
    if (kind === 'missed') return now.hasNewer ? now : withMissed(now, later);
    if (kind === 'newest') return withNewest(now, newest);
    return kind === 'older' ? withOlder(now, older) : withNewer(now, later);
  };
}

function caughtUp(log: MessageLog, server: Server): MessageLog {
  if (!log.isLoaded || log.revision === null) return log;
  const changed = server.changedAfter(log.revision);
  const changedInLog = changed.data.filter(({ seq }) => seq <= lastSeq(log));
  const updatedLog = { ...withReceived(log, changedInLog), revision: changed.revision };
  return updatedLog.hasNewer ? updatedLog : withMissed(updatedLog, server.page(lastSeq(updatedLog), 1_000));
}

const visibleState = (message: Message | undefined) => [message?.seq, message?.content, message?.deleted];

describe('log consistency for random messages, changes, losses, jumps, and reads', () => {
  it('has no gaps, and matches the server after fetching what it missed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const server = new Server();
        let log = withNewest(EMPTY_LOG, server.before(1, LIMIT));
        for (const next of steps) {
          log = follow(log, server, next);
          const first = log.messages[0]?.seq ?? 1;
          expect(seqs(log)).toEqual(log.messages.map((_, index) => first + index));
        }
        const end = caughtUp(log, server);
        expect(end.messages.map(visibleState)).toEqual(
          end.messages.map(({ seq }) => visibleState(server.messages[seq - 1])),
        );
        if (!end.hasNewer) expect(lastSeq(end)).toBe(server.messages.length);
        expect(end.hasOlder).toBe((end.messages[0]?.seq ?? 1) > 1);
        expect(end.ahead).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('detects missed changes wherever its window is, as long as no event is lost', () => {
    const stepsWithoutLoss = step.filter((next) => !('isLost' in next && next.isLost));
    fc.assert(
      fc.property(fc.array(stepsWithoutLoss, { maxLength: 60 }), (steps) => {
        const server = new Server();
        let log = withNewest(EMPTY_LOG, server.before(1, LIMIT));
        for (const next of steps) {
          log = follow(log, server, next);
          const isOutdated = log.messages.some(
            (message) => visibleState(message).join() !== visibleState(server.messages[message.seq - 1]).join(),
          );
          expect(isOutdated && !hasMissedChanges(log)).toBe(false);
        }
      }),
      { numRuns: 400 },
    );
  });
});
