import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { errorFromResponse, networkError } from '#lib/api/api-error.ts';
import { createReadReceipts } from './record-read.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function open(outcomes: (Error | null)[] = []) {
  const seen: [string, number][] = [];
  const sent: [string, number][] = [];
  const session = { userId: 'me', revision: 0 };
  const recordRead = createReadReceipts({
    unread: { recordSeen: (id, seq) => void seen.push([id, seq]), revisionOf: () => session.revision },
    currentUserId: () => session.userId,
    async send({ id, seq }) {
      sent.push([id, seq]);
      const error = outcomes.shift();
      if (error) throw error;
    },
  });
  return { seen, sent, session, recordRead };
}

it('a read is shown immediately, and the latest of each conversation is sent at most once per second', async () => {
  const { seen, sent, recordRead } = open();
  for (const seq of [1, 3, 2]) recordRead('me', 'a', seq);
  recordRead('me', 'b', 7);
  expect(seen).toHaveLength(4);
  expect(sent).toEqual([['a', 1]]);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([
    ['a', 1],
    ['a', 3],
    ['b', 7],
  ]);
});

it('a read that could not be sent is sent again, with the latest one since', async () => {
  const { sent, recordRead } = open([networkError(), networkError()]);
  recordRead('me', 'a', 1);
  await jest.advanceTimersByTimeAsync(0);
  recordRead('me', 'a', 4);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([
    ['a', 1],
    ['a', 4],
    ['a', 4],
  ]);
});

it('a read is not sent again if the server has rejected it, or after another user has signed in', async () => {
  const { sent, session, recordRead } = open([errorFromResponse(404, {}), networkError()]);
  recordRead('me', 'a', 1);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([['a', 1]]);
  recordRead('me', 'a', 2);
  session.userId = 'other';
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([
    ['a', 1],
    ['a', 2],
  ]);
});

it('a read after messages were marked as unread supersedes an earlier one of later messages', async () => {
  const { sent, session, recordRead } = open();
  for (const seq of [1, 9]) recordRead('me', 'a', seq);
  session.revision = 1;
  recordRead('me', 'a', 4);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([
    ['a', 1],
    ['a', 4],
  ]);
});
