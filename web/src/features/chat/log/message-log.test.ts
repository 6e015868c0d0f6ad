import { describe, expect, it } from '@jest/globals';
import { buildMessage } from '#test/build-message.ts';
import {
  EMPTY_LOG,
  hasMissedChanges,
  isBehind,
  lastSeq,
  type MessageLog,
  trimmed,
  withDeleted,
  withKnownSeq,
  withNewest,
  withOlder,
  withReceived,
  withRevision,
} from './message-log.ts';

const time = (second: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, second)).toISOString();

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => buildMessage(from + index));
const page = (from: number, to: number, hasMore = false) => ({ data: range(from, to), hasMore, revision: 0 });
const seqs = ({ messages }: MessageLog) => messages.map(({ seq }) => seq);
const loaded = (from: number, to: number) => withNewest(EMPTY_LOG, page(from, to, from > 1));

describe('message log', () => {
  it('adds each message once, no matter how or how often it arrives', () => {
    const twice = withReceived(withReceived(loaded(1, 3), [buildMessage(4)]), [buildMessage(4), buildMessage(3)]);
    expect(seqs(twice)).toEqual([1, 2, 3, 4]);
    expect(seqs(withNewest(twice, page(2, 5, true)))).toEqual([1, 2, 3, 4, 5]);
  });

  it('buffers out-of-order messages until the gap closes', () => {
    const outOfOrder = withReceived(loaded(1, 3), [buildMessage(6), buildMessage(5)]);
    expect(seqs(outOfOrder)).toEqual([1, 2, 3]);
    expect(isBehind(outOfOrder)).toBe(true);
    expect(lastSeq(outOfOrder)).toBe(3);
    const filledLog = withReceived(outOfOrder, [buildMessage(4)]);
    expect(seqs(filledLog)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(isBehind(filledLog)).toBe(false);
  });

  it('keeps an edit that arrived before its page', () => {
    const editedMessage = buildMessage(2, { content: 'edited', updatedAt: time(50) });
    const log = withNewest(withReceived(EMPTY_LOG, [editedMessage]), page(1, 3));
    expect(log.messages.map(({ content }) => content)).toEqual(['message 1', 'edited', 'message 3']);
  });

  it('sorts a page in any order', () => {
    expect(seqs(withReceived(loaded(1, 2), [buildMessage(5), buildMessage(3), buildMessage(4)]))).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it('keeps messages that arrive while the first page is loading', () => {
    const buffered = withReceived(EMPTY_LOG, [buildMessage(4)]);
    expect(seqs(buffered)).toEqual([]);
    expect(seqs(withNewest(buffered, page(1, 3)))).toEqual([1, 2, 3, 4]);
    expect(seqs(withNewest(buffered, page(1, 4)))).toEqual([1, 2, 3, 4]);
  });

  it('starts an empty conversation with its first message', () => {
    expect(
      seqs(withReceived(withNewest(EMPTY_LOG, { data: [], hasMore: false, revision: 0 }), [buildMessage(1)])),
    ).toEqual([1]);
  });

  it('restarts from a page that leaves a gap', () => {
    const restarted = withNewest(loaded(1, 3), page(50, 60, true));
    expect(seqs(restarted)).toEqual(range(50, 60).map(({ seq }) => seq));
    expect(restarted.hasOlder).toBe(true);
  });

  it('prepends older messages, each once', () => {
    const log = withOlder(loaded(51, 53), page(49, 51, true));
    expect(seqs(log)).toEqual([49, 50, 51, 52, 53]);
    expect(log.hasOlder).toBe(true);
    expect(withOlder(log, page(1, 48)).hasOlder).toBe(false);
  });

  it('ignores events for messages before the window', () => {
    expect(seqs(withReceived(loaded(51, 53), [buildMessage(7)]))).toEqual([51, 52, 53]);
  });
});

describe('changed message in a log', () => {
  it('replaces an older version, never a newer one', () => {
    const editedMessage = buildMessage(2, { content: 'better', updatedAt: time(30), editedAt: time(30) });
    const log = withReceived(loaded(1, 3), [editedMessage]);
    expect(log.messages[1]?.content).toBe('better');
    expect(withReceived(log, [buildMessage(2)]).messages[1]?.content).toBe('better');
  });

  it('stays deleted despite late events', () => {
    const log = withDeleted(loaded(1, 3), 2);
    expect(log.messages[1]).toMatchObject({ deleted: true, content: '' });
    const late = buildMessage(2, { content: 'back again', updatedAt: time(40) });
    expect(withReceived(log, [late]).messages[1]).toMatchObject({ deleted: true, content: '' });
    expect(seqs(log)).toEqual([1, 2, 3]);
  });

  it('is updated while it waits for a gap to close', () => {
    const outOfOrder = withDeleted(withReceived(loaded(1, 1), [buildMessage(3)]), 3);
    expect(withReceived(outOfOrder, [buildMessage(2)]).messages[2]).toMatchObject({ seq: 3, deleted: true });
  });
});

it('trimmed drops all but the newest messages of a log', () => {
  const log = trimmed(loaded(1, 300), 100);
  expect(seqs(log)).toEqual(range(201, 300).map(({ seq }) => seq));
  expect(log.hasOlder).toBe(true);
});

describe('log revision', () => {
  const log = { ...loaded(1, 3), revision: 4 };

  it('advances with consecutive changes only', () => {
    const logs = [4, 5, 6, undefined].map((revision) => withRevision(log, revision));
    expect(logs.map(({ revision }) => revision)).toEqual([4, 5, 4, 4]);
    expect(logs.map(hasMissedChanges)).toEqual([false, false, true, false]);
  });

  it('is unknown before the first page', () => {
    expect(withRevision(EMPTY_LOG, 1).revision).toBeNull();
    expect(hasMissedChanges(withRevision(EMPTY_LOG, 9))).toBe(false);
  });

  it('is behind only if the window is at the end', () => {
    expect(isBehind(withKnownSeq(log, 4))).toBe(true);
    expect(isBehind(withKnownSeq(log, 3))).toBe(false);
    expect(isBehind({ ...withKnownSeq(log, 4), hasNewer: true })).toBe(false);
    expect(isBehind(withKnownSeq(EMPTY_LOG, 4))).toBe(false);
  });
});
