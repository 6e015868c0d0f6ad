import type { FoundMessage } from '@atrium/proto-events/http/chat/search';
import { expect, it } from '@jest/globals';
import { buildMessage } from '#test/build-message.ts';
import { continueResults } from './use-message-search.ts';

const found = (seq: number): FoundMessage => {
  const message = buildMessage(seq);
  return { message, conversation: { _id: message.conversation, type: 'group', title: 'c' }, snippet: [] };
};
const results = (seqs: number[], next: string | null) => ({ data: seqs.map(found), next });
const seqsOf = ({ data }: { data: readonly FoundMessage[] }) => data.map(({ message }) => message.seq);

it.each([
  ['nothing was loaded after it', [4, 3], undefined, [4, 3], 'first'],
  ['nothing has changed', [4, 3], [4, 3, 2, 1], [4, 3, 2, 1], 'later'],
  ['messages were sent, so that others moved to the next page', [6, 5], [6, 4, 3, 2], [6, 5, 4, 3, 2], 'later'],
  ['a message was sent', [5, 4], [4, 3, 2, 1], [5, 4, 3, 2, 1], 'later'],
  ['a message was deleted', [4, 2], [4, 3, 2, 1], [4, 2, 1], 'later'],
  ['more messages were sent than fit on it', [9, 8], [4, 3, 2, 1], [9, 8], 'first'],
  ['no message is found anymore', [], [4, 3, 2, 1], [], 'first'],
] as const)('the first page of results is continued when %s', (_when, first, loaded, expected, next) => {
  const continued = continueResults(results([...first], 'first'), loaded && results([...loaded], 'later'));
  expect(seqsOf(continued)).toEqual(expected);
  expect(continued.next).toBe(next);
});

it('results stay while the first page is not known', () => {
  expect(seqsOf(continueResults(undefined, results([2, 1], null)))).toEqual([2, 1]);
});
