import type { QueryCache } from '../../lib/query/query-cache.ts';
import type { RefetchPredicate } from '../refetch.ts';

/** How old an answer gets of which nobody says when it changes, while something shows it. */
const ASK_EVERY_MS = 30_000;

export type Untold = {
  /** These keys are more than one socket can be told of, and all others are told of. */
  note(keys: readonly string[]): void;
  stop(): void;
};

type Given = {
  answers: Pick<QueryCache, 'invalidate' | 'isObserved'>;
  refresh: (isMeant: RefetchPredicate) => void;
};

/**
 * Has no answer stand for live that nobody tells of: what is shown is asked for now and then, and once more when it is told of at last;
 * what is not shown is asked for by the next that shows it.
 */
export function pollUnsubscribed({ answers, refresh }: Given): Untold {
  let untold: ReadonlySet<string> = new Set();
  let timer: ReturnType<typeof setInterval> | undefined;
  const keepAsking = () => {
    timer ??= setInterval(() => refresh((key, age) => untold.has(key) && age >= ASK_EVERY_MS), ASK_EVERY_MS);
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    note(keys) {
      for (const key of keys) if (!answers.isObserved(key)) answers.invalidate(key);
      const before = untold;
      untold = new Set(keys.filter((key) => answers.isObserved(key)));
      const isBack = (key: string) => before.has(key) && !untold.has(key) && answers.isObserved(key);
      if ([...before].some(isBack)) refresh(isBack);
      if (untold.size > 0) keepAsking();
      else stop();
    },
    stop,
  };
}
