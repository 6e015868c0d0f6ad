import { afterEach, expect, it, jest } from '@jest/globals';
import { followUnconnected } from '../../test/follow-unconnected.ts';
import { errorFromAnswer, networkError } from '../lib/api/api-error.ts';
import { createListeners } from '../lib/listeners.ts';
import { QueryCache } from '../lib/query/query-cache.ts';
import { createAskAgain } from './refetch.ts';

const [FIGURES, GONE, UNSEEN] = ['/departments/stats', '/departments/none', '/projects/stats'];
const CONVERSATIONS = '/chat/conversations?limit=100&people=6';
const fine = { hasFailed: false, refusedMs: 0 };

function asking(answers: QueryCache) {
  const asked: string[] = [];
  const refresh = createAskAgain(answers, {
    // As SWR does, which asks for nothing that is not shown.
    ask: async (key) => {
      if (answers.isObserved(key)) asked.push(key);
      return fine;
    },
    readItems: async () => ({ items: null, ...fine }),
    show: () => undefined,
    isLookedAt: () => true,
    onceLookedAt: () => undefined,
  });
  return { asked, refresh };
}

afterEach(() => void jest.useRealTimers());

it('asks for what could not be had as soon as the sockets are up again', async () => {
  jest.useFakeTimers();
  const [answers, connects] = [new QueryCache(), createListeners()];
  const { asked, refresh } = asking(answers);
  const stop = followUnconnected({ refresh, answers, connects });
  for (const key of [FIGURES, GONE]) answers.hold(key);
  for (const key of [FIGURES, UNSEEN]) answers.set(key, { error: networkError() });
  answers.set(GONE, { error: errorFromAnswer(404, null) });
  connects.tell();
  await jest.advanceTimersByTimeAsync(0);
  expect(asked).toEqual([FIGURES]);
  // One that is on its way is waited for.
  const { end } = answers.ask(FIGURES);
  await jest.advanceTimersByTimeAsync(60_000);
  connects.tell();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([FIGURES]);
  end(true);
  stop();
});

it('asks for conversations after an own read where an answer of before it has put it back, and for nothing where none has', async () => {
  jest.useFakeTimers();
  const [me, conversation] = ['a'.repeat(24), 'c'.repeat(24)];
  const answers = new QueryCache();
  const { asked, refresh } = asking(answers);
  const listens = new Map<string, (payload: unknown) => void>();
  const stop = followUnconnected({ refresh, answers, me, on: (name, listen) => void listens.set(name, listen) });
  const readUpTo = (lastReadSeq: number) => ({ data: { data: [{ _id: conversation, lastReadSeq }], total: 1 } });
  const tell = async (seq: number) => {
    listens.get('message:read')?.({ conversation, user: me, seq });
    await jest.advanceTimersByTimeAsync(5_000);
  };
  answers.hold(CONVERSATIONS);
  answers.set(CONVERSATIONS, readUpTo(58));
  await tell(58);
  expect(asked).toEqual([]);
  // On its way when the read is told, and asked before the server had heard of it.
  const { end } = answers.ask(CONVERSATIONS);
  await tell(58);
  answers.set(CONVERSATIONS, readUpTo(57));
  end(true);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual([CONVERSATIONS]);
  answers.set(CONVERSATIONS, readUpTo(58));
  await tell(60);
  expect(asked).toEqual([CONVERSATIONS, CONVERSATIONS]);
  stop();
});
