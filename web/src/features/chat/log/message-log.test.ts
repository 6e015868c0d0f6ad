import { describe, expect, it } from '@jest/globals';
import { buildMessage } from '../../../../test/a-message.ts';
import { trimmed, withNewest, withOlder } from './log-window.ts';
import {
  EMPTY_LOG,
  hasMissedChanges,
  isBehind,
  lastSeq,
  type MessageLog,
  withDeleted,
  withHeardOf,
  withReceived,
  withRevision,
} from './message-log.ts';

const time = (second: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, second)).toISOString();

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => buildMessage(from + index));
const page = (from: number, to: number, hasMore = false) => ({ data: range(from, to), hasMore, revision: 0 });
const seqs = ({ messages }: MessageLog) => messages.map(({ seq }) => seq);
const loaded = (from: number, to: number) => withNewest(EMPTY_LOG, page(from, to, from > 1));

describe('a log of messages', () => {
  it('takes each message once, however often and by whichever way it comes', () => {
    const twice = withReceived(withReceived(loaded(1, 3), [buildMessage(4)]), [buildMessage(4), buildMessage(3)]);
    expect(seqs(twice)).toEqual([1, 2, 3, 4]);
    expect(seqs(withNewest(twice, page(2, 5, true)))).toEqual([1, 2, 3, 4, 5]);
  });

  it('holds back what came too early until the gap is filled', () => {
    const early = withReceived(loaded(1, 3), [buildMessage(6), buildMessage(5)]);
    expect(seqs(early)).toEqual([1, 2, 3]);
    expect(isBehind(early)).toBe(true);
    expect(lastSeq(early)).toBe(3);
    const filled = withReceived(early, [buildMessage(4)]);
    expect(seqs(filled)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(isBehind(filled)).toBe(false);
  });

  it('keeps an edit that overtook the page it is on', () => {
    const edited = buildMessage(2, { content: 'edited', updatedAt: time(50) });
    const log = withNewest(withReceived(EMPTY_LOG, [edited]), page(1, 3));
    expect(log.messages.map(({ content }) => content)).toEqual(['message 1', 'edited', 'message 3']);
  });

  it('brings a page into order in any order', () => {
    expect(seqs(withReceived(loaded(1, 2), [buildMessage(5), buildMessage(3), buildMessage(4)]))).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it('keeps what arrives while the first page is on its way', () => {
    const before = withReceived(EMPTY_LOG, [buildMessage(4)]);
    expect(seqs(before)).toEqual([]);
    expect(seqs(withNewest(before, page(1, 3)))).toEqual([1, 2, 3, 4]);
    expect(seqs(withNewest(before, page(1, 4)))).toEqual([1, 2, 3, 4]);
  });

  it('begins an empty conversation with its first message', () => {
    expect(
      seqs(withReceived(withNewest(EMPTY_LOG, { data: [], hasMore: false, revision: 0 }), [buildMessage(1)])),
    ).toEqual([1]);
  });

  it('starts anew from a page that leaves a hole', () => {
    const anew = withNewest(loaded(1, 3), page(50, 60, true));
    expect(seqs(anew)).toEqual(range(50, 60).map(({ seq }) => seq));
    expect(anew.hasOlder).toBe(true);
  });

  it('puts older ones before the first, each once', () => {
    const log = withOlder(loaded(51, 53), page(49, 51, true));
    expect(seqs(log)).toEqual([49, 50, 51, 52, 53]);
    expect(log.hasOlder).toBe(true);
    expect(withOlder(log, page(1, 48)).hasOlder).toBe(false);
  });

  it('ignores news of what is older than anything shown', () => {
    expect(seqs(withReceived(loaded(51, 53), [buildMessage(7)]))).toEqual([51, 52, 53]);
  });
});

describe('a changed message', () => {
  it('takes the place of the earlier one and never the other way round', () => {
    const edited = buildMessage(2, { content: 'better', updatedAt: time(30), editedAt: time(30) });
    const log = withReceived(loaded(1, 3), [edited]);
    expect(log.messages[1]?.content).toBe('better');
    expect(withReceived(log, [buildMessage(2)]).messages[1]?.content).toBe('better');
  });

  it('stays deleted, whatever comes late', () => {
    const log = withDeleted(loaded(1, 3), 2);
    expect(log.messages[1]).toMatchObject({ deleted: true, content: '' });
    const late = buildMessage(2, { content: 'back again', updatedAt: time(40) });
    expect(withReceived(log, [late]).messages[1]).toMatchObject({ deleted: true, content: '' });
    expect(seqs(log)).toEqual([1, 2, 3]);
  });

  it('is changed while it waits for a gap, too', () => {
    const early = withDeleted(withReceived(loaded(1, 1), [buildMessage(3)]), 3);
    expect(withReceived(early, [buildMessage(2)]).messages[2]).toMatchObject({ seq: 3, deleted: true });
  });
});

it('keeps only the newest of a long log that nobody looks at', () => {
  const log = trimmed(loaded(1, 300), 100);
  expect(seqs(log)).toEqual(range(201, 300).map(({ seq }) => seq));
  expect(log.hasOlder).toBe(true);
});

describe('the revision of a log', () => {
  const known = { ...loaded(1, 3), revision: 4 };

  it('goes up with the change that is next, and stays where one is missing', () => {
    const told = [4, 5, 6, undefined].map((revision) => withRevision(known, revision));
    expect(told.map(({ revision }) => revision)).toEqual([4, 5, 4, 4]);
    expect(told.map(hasMissedChanges)).toEqual([false, false, true, false]);
  });

  it('is unknown before the first page, and then nothing is missed by it', () => {
    expect(withRevision(EMPTY_LOG, 1).revision).toBeNull();
    expect(hasMissedChanges(withRevision(EMPTY_LOG, 9))).toBe(false);
  });

  it('is behind at its end only', () => {
    expect(isBehind(withHeardOf(known, 4))).toBe(true);
    expect(isBehind(withHeardOf(known, 3))).toBe(false);
    expect(isBehind({ ...withHeardOf(known, 4), hasNewer: true })).toBe(false);
    expect(isBehind(withHeardOf(EMPTY_LOG, 4))).toBe(false);
  });
});
