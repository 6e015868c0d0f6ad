import { afterEach, expect, it, jest } from '@jest/globals';
import { followUnconnected } from '../../test/follow-unconnected.ts';
import { errorFromAnswer, networkError } from '../lib/api/api-error.ts';
import { AnswerCache } from '../lib/cache/answer-cache.ts';
import { createListeners } from '../lib/listeners.ts';
import { createAskAgain } from './ask-again.ts';

const [FIGURES, GONE, UNSEEN] = ['/departments/stats', '/departments/none', '/projects/stats'];
const fine = { hasFailed: false, refusedMs: 0 };

afterEach(() => void jest.useRealTimers());

it('asks for what could not be had as soon as the sockets are up again', async () => {
  jest.useFakeTimers();
  const [answers, connects, asked] = [new AnswerCache(), createListeners(), [] as string[]];
  const refresh = createAskAgain(answers, {
    // As SWR does, which asks for nothing that is not shown.
    ask: async (key) => {
      if (answers.isHeld(key)) asked.push(key);
      return fine;
    },
    readItems: async () => ({ items: null, ...fine }),
    show: () => undefined,
    isLookedAt: () => true,
    onceLookedAt: () => undefined,
  });
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
