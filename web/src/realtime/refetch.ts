import type { Cache } from 'swr';
import { ApiError } from '../lib/api/api-error.ts';
import { FRESH_MS, QueryCache } from '../lib/query/query-cache.ts';
import type { Item } from './invalidation-rules.ts';
import { MOST_ITEMS, withItems } from './list-patches.ts';
import { createPendingInvalidations } from './pending-invalidations.ts';
import { createRefetchScheduler, type Outcome, outcomeOf } from './refetch-scheduler.ts';
import { type ListOfItems, listOfItems } from './stale-queries.ts';
import { isOfEverything } from './topics.ts';

/** What has to be asked for again of an answer: everything or nothing, or of a list those items. */
export type RefetchTarget = boolean | ReadonlySet<string>;

/** `age`: how long ago it was asked for what is there or on its way, in milliseconds. `held`: what is there, if nothing else is on its way. */
export type RefetchPredicate = (key: string, age: number, held: unknown) => RefetchTarget;

/**
 * `isDemanded`: for somebody who has just changed it, so that it is asked for without a pause. `news`: the server said so, and with it at
 * which pace it is to be asked. `isInAnswer`: an answer shows whether it has it already, so that the one that is on its way is waited for.
 */
export type RefetchOptions = { isDemanded?: boolean; news?: { minRefetchIntervalMs?: number }; isInAnswer?: boolean };

export type Asking = {
  /** Asks for what the key holds and shows the answer, or has whoever shows it next ask; never rejects. */
  ask: (key: string) => Promise<Outcome>;
  /** Reads items of the list under a key; null where none could be had, with what became of the question. Never rejects. */
  readItems: (path: string, key: string) => Promise<{ items: readonly Item[] | null } & Outcome>;
  /** Shows an answer under its key. */
  show: (key: string, answer: unknown) => void;
  isLookedAt: () => boolean;
  onceLookedAt: (then: () => void) => void;
};

/**
 * Asks again for what is on the screen and meant; what is not on it is asked for when it is shown again. Of a list in which items have
 * changed and nothing else, these alone are asked for, and put where they stood.
 */
export function createAskAgain(cache: Cache, { ask, readItems, show, isLookedAt, onceLookedAt }: Asking) {
  const answers = cache instanceof QueryCache ? cache : null;
  const isShown = (key: string) => answers === null || answers.isObserved(key);
  /** Of which lists some items alone are wanted, and of what everything: a list has one turn for either. */
  const wanted = new Map<string, ReadonlySet<string>>();
  const wantedWhole = new Set<string>();

  const wantWhole = (key: string) => {
    wanted.delete(key);
    wantedWhole.add(key);
    answers?.invalidate(key);
  };
  const askForItems = async (key: string, ids: ReadonlySet<string>, list: ListOfItems): Promise<Outcome> => {
    // What changes from now on may come too late for this answer, and is asked for once more.
    wanted.delete(key);
    const { items, ...outcome } = await readItems(pathOfItems(list.items, ids, key), key);
    if (outcome.hasFailed && !wantedWhole.has(key)) wanted.set(key, new Set([...ids, ...(wanted.get(key) ?? [])]));
    if (outcome.hasFailed) return outcome;
    // An answer that is on its way was asked for after these have changed.
    const held = answers?.settledData(key);
    if (held === undefined) return outcome;
    const answer = items && withItems(held, { ids, items, before: list.before });
    if (answer) show(key, answer);
    else {
      wantWhole(key);
      if (isShown(key)) refresher.note([key]);
      else wantedWhole.delete(key);
    }
    return outcome;
  };
  /** Questions for items of a list, by its key. */
  const itemsUnderWay = new Map<string, Promise<Outcome>>();
  const refresher = createRefetchScheduler({
    async ask(key) {
      const [ids, list] = [wanted.get(key), listOfItems(key)];
      if (ids && list && !wantedWhole.has(key)) {
        const question = askForItems(key, ids, list).finally(() => itemsUnderWay.delete(key));
        itemsUnderWay.set(key, question);
        return question;
      }
      wanted.delete(key);
      wantedWhole.delete(key);
      // SWR would throw away the answer to a question that is on its way.
      await answers?.settled(key);
      return ask(key);
    },
    isMissed: (key) => answers?.isObserved(key) === true && (wanted.has(key) || answers.ageOf(key) >= FRESH_MS),
    isOfEverything,
    outdate(key) {
      if (!wanted.has(key)) answers?.invalidate(key);
    },
    isLookedAt,
    onceLookedAt,
  });
  // What failed otherwise than by the network or the server fails again.
  answers?.onFailed((key, error) => {
    if (error instanceof ApiError) refresher.recordFailure(key, outcomeOf(error));
  });
  /** What is asked for by its items, with those that were noted before; null where the whole answer is the better question. */
  const itemsToAskFor = (key: string, meant: RefetchTarget): ReadonlySet<string> | null => {
    if (typeof meant === 'boolean' || !isShown(key) || !listOfItems(key)) return null;
    const all = new Set([...(wanted.get(key) ?? []), ...meant]);
    return all.size <= MOST_ITEMS ? all : null;
  };
  const askFor = (meant: ReadonlyMap<string, Exclude<RefetchTarget, false>>, isDemanded: boolean) => {
    const whole: string[] = [];
    for (const [key, one] of meant) {
      const items = itemsToAskFor(key, one);
      if (!items) whole.push(key);
      // Whoever asks for all of it has these, too.
      else if (!wantedWhole.has(key)) {
        wanted.set(key, items);
        refresher.note([key]);
      }
    }
    for (const key of whole) wantWhole(key);
    const shown = whole.filter(isShown);
    // What nobody shows is asked for by the next that does, even where SWR had it a moment ago.
    for (const key of whole) if (!isShown(key) && wantedWhole.delete(key)) void ask(key);
    if (isDemanded) refresher.refetchNow(shown);
    else refresher.note(shown);
  };
  const isUnderWay = (key: string) => itemsUnderWay.has(key) || answers?.isUnderWay(key) === true;
  const ageOf = (key: string) => answers?.requestAge(key) ?? Number.POSITIVE_INFINITY;
  const doubt = createPendingInvalidations<{ isMeant: RefetchPredicate; age: number }>(
    {
      isUnderWay,
      settled: (key) => Promise.all([itemsUnderWay.get(key), answers?.settled(key)]),
      isAskedSince: (key, at) => ageOf(key) < Date.now() - at,
    },
    (key, news) => {
      const held = answers?.settledData(key);
      const all = together(news.map(({ isMeant, age }) => isMeant(key, age, held)));
      if (all) askFor(new Map([[key, all]]), false);
    },
  );
  return (isMeant: RefetchPredicate, { isDemanded = false, news, isInAnswer = false }: RefetchOptions = {}): void => {
    if (news) refresher.pace(news.minRefetchIntervalMs);
    const meant = new Map<string, Exclude<RefetchTarget, false>>();
    for (const key of [...cache.keys()]) {
      const age = ageOf(key);
      const one = isMeant(key, age, answers?.settledData(key));
      if (one === false) continue;
      if (isInAnswer && isUnderWay(key)) doubt(key, { isMeant, age });
      else meant.set(key, one);
    }
    askFor(meant, isDemanded);
  };
}

/** What all of them mean. */
function together(all: readonly RefetchTarget[]): RefetchTarget {
  if (all.includes(true)) return true;
  const ids = new Set(all.flatMap((one) => (typeof one === 'boolean' ? [] : [...one])));
  return ids.size > 0 && ids;
}

/** As much of each as the list has. */
function pathOfItems(path: string, ids: ReadonlySet<string>, key: string): string {
  const people = new URLSearchParams(key.split('?')[1]).get('people');
  return `${path}?ids=${[...ids].join(',')}&limit=${MOST_ITEMS}${people === null ? '' : `&people=${people}`}`;
}
