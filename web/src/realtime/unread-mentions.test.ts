import { describe, expect, it } from '@jest/globals';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import {
  countMentions,
  isMentionKnown,
  mentionsUser,
  NO_MENTIONS,
  withListedMentions,
  withMention,
} from './unread-mentions.ts';

const me = buildUser('e');
const at = (seq: number) => ({ conversation: 'a', seq });
const received = (...seqs: number[]) => seqs.reduce((known, seq) => withMention(known, at(seq), true), NO_MENTIONS);
const count = (known: typeof NO_MENTIONS, lastReadSeq = 0, unreadCount = 100) =>
  countMentions(known, 'a', { lastReadSeq, unreadCount });

it('what is known of old messages is forgotten before mentions', () => {
  let known = withMention(NO_MENTIONS, at(1), true);
  for (let seq = 2; seq <= 1_000; seq += 1) known = withMention(known, at(seq), false);
  expect(known.get('a')?.size).toBe(200);
  expect(isMentionKnown(known, at(1))).toBe(true);
  expect(isMentionKnown(known, at(2))).toBe(false);
  expect(isMentionKnown(known, at(1_000))).toBe(true);
});

describe('mentions of the user', () => {
  it('are by name, for everyone, and for those who are here, but not those of the user', () => {
    const mentions = { users: [], here: false, everyone: false, groups: [] };
    const isMention = (changes: Partial<typeof mentions> | { users: [typeof me] }, sender = buildUser('b')) =>
      mentionsUser(buildMessage(1, { sender, mentions: { ...mentions, ...changes } }), me._id);
    expect(isMention({})).toBe(false);
    expect([isMention({ users: [me] }), isMention({ here: true }), isMention({ everyone: true })]).toEqual([
      true,
      true,
      true,
    ]);
    expect(isMention({ everyone: true }, me)).toBe(false);
  });

  it('are those of the departments and projects of the user', () => {
    const groups = [{ type: 'department', _id: 'd', name: 'Design' } as const];
    const mentions = { users: [], here: false, everyone: false, groups };
    const message = buildMessage(1, { sender: buildUser('b'), mentions });
    expect([mentionsUser(message, me._id, ['d']), mentionsUser(message, me._id, ['e'])]).toEqual([true, false]);
  });

  it('are counted once each, above the read position, and never more than there are unread messages', () => {
    const known = received(5, 7, 7, 9);
    expect([count(known), count(known, 5), count(known, 9)]).toEqual([3, 2, 0]);
    expect([count(known, 0, 1), count(known, 0, 0)]).toEqual([1, 0]);
  });

  it('are not counted after an edit or a deletion, which is known if the message itself arrives later', () => {
    expect(count(withMention(received(5, 7), at(5), false))).toBe(1);
    expect(isMentionKnown(withMention(NO_MENTIONS, at(5), false), at(5))).toBe(true);
    expect(isMentionKnown(received(7), at(5))).toBe(false);
    expect(count(withMention(NO_MENTIONS, at(5), true))).toBe(1);
  });

  it('are those of a response, with what has arrived since the request', () => {
    const sinceRequest = withMention(received(9), at(7), false);
    const listed = [{ conversation: 'a', lastSeq: 8, mentions: [6, 7] }];
    const known = withListedMentions(received(5, 7, 9), listed, {
      sinceRequest,
      isComplete: true,
      lastSeqAtRequest: () => 7,
    });
    expect(known.get('a')).toEqual(
      new Map([
        [5, false],
        [6, true],
        [7, false],
        [9, true],
      ]),
    );
  });

  it('remain if they are later than a response, which an earlier request can be answered after', () => {
    const request = { sinceRequest: NO_MENTIONS, isComplete: true, lastSeqAtRequest: () => 5 };
    expect(count(withListedMentions(received(5, 9), [{ conversation: 'a', lastSeq: 8, mentions: [] }], request))).toBe(
      1,
    );
    expect(count(withListedMentions(received(5, 9), [], request))).toBe(1);
  });

  it('are none in conversations that a complete response does not list', () => {
    const counts = [true, false].map((isComplete) =>
      count(withListedMentions(received(5), [], { sinceRequest: NO_MENTIONS, isComplete, lastSeqAtRequest: () => 5 })),
    );
    expect(counts).toEqual([0, 1]);
  });
});
