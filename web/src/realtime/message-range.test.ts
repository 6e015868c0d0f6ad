import type { Change } from '@atrium/proto-events/realtime';
import { expect, it } from '@jest/globals';
import { messageRangeOf } from './message-range.ts';

const message: Change = { resource: 'message', id: 'c', action: 'created', version: 7, tags: ['conversations'] };

it('messageRangeOf reads the conversation, the seqs, and the revision of a change of messages', () => {
  expect(messageRangeOf(message)).toEqual({ conversation: 'c', firstSeq: 7, lastSeq: 7, revision: 0 });
  expect(messageRangeOf({ ...message, from: 4, revision: 2 })).toMatchObject({ firstSeq: 4, lastSeq: 7, revision: 2 });
  expect(messageRangeOf({ ...message, resource: 'conversation' })).toBeNull();
});
