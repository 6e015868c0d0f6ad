import type { Cache } from 'swr';
import { AnswerCache } from '../lib/cache/answer-cache.ts';
import { createRefresher, type Outcome } from './refresher.ts';
import { isOfEverything } from './topics.ts';

/** `age`: how long ago it was asked for what is there or on its way, in milliseconds. `held`: what is there, if nothing else is on its way. */
export type IsMeant = (key: string, age: number, held: unknown) => boolean;

export type Asking = {
  /** Asks for what the key holds and shows the answer, or has whoever shows it next ask; never rejects. */
  ask: (key: string) => Promise<Outcome>;
  isLookedAt: () => boolean;
  onceLookedAt: (then: () => void) => void;
};

/** Asks again for what is on the screen and meant; what is not on it is asked for when it is shown again. */
export function createAskAgain(cache: Cache, { ask, isLookedAt, onceLookedAt }: Asking) {
  const answers = cache instanceof AnswerCache ? cache : null;
  const isShown = (key: string) => answers === null || answers.isHeld(key);
  const refresher = createRefresher({
    async ask(key) {
      // SWR would throw away the answer to a question that is on its way.
      await answers?.settled(key);
      return ask(key);
    },
    isMissed: (key) => answers?.isHeld(key) === true && answers.ageOf(key) === Number.POSITIVE_INFINITY,
    isOfEverything,
    outdate: (key) => answers?.age(key),
    isLookedAt,
    onceLookedAt,
  });
  /** `isAwaited`: somebody waits for it. Resolves then once the answers are there. */
  return async (isMeant: IsMeant, { isAwaited = false } = {}): Promise<void> => {
    const ageOf = (key: string) => answers?.askedAgo(key) ?? Number.POSITIVE_INFINITY;
    const meant = [...cache.keys()].filter((key) => isMeant(key, ageOf(key), answers?.settledAnswer(key)));
    for (const key of meant) answers?.age(key);
    const shown = meant.filter(isShown);
    // What nobody shows is asked for by the next that does, even where SWR had it a moment ago.
    for (const key of meant) if (!isShown(key)) void ask(key);
    if (isAwaited) await refresher.demand(shown);
    else refresher.note(shown);
  };
}
