import type { Cache } from 'swr';
import { ApiError } from '../lib/api/api-error.ts';
import { AnswerCache, FRESH_MS } from '../lib/cache/answer-cache.ts';
import { createDoubts } from './doubts.ts';
import { MOST_ITEMS, withItems } from './items.ts';
import { createRefresher, type Outcome, outcomeOf } from './refresher.ts';
import { type ListOfItems, listOfItems } from './stale-keys.ts';
import { isOfEverything } from './topics.ts';
import type { Item } from './what-shows.ts';

/** What has to be asked for again of an answer: everything or nothing, or of a list those items. */
export type Meant = boolean | ReadonlySet<string>;

/** `age`: how long ago it was asked for what is there or on its way, in milliseconds. `held`: what is there, if nothing else is on its way. */
export type IsMeant = (key: string, age: number, held: unknown) => Meant;

/**
 * `isDemanded`: for somebody who has just changed it, so that it is asked for without a pause. `news`: the server said so, and with it at
 * which pace it is to be asked. `isInAnswer`: an answer shows whether it has it already, so that the one that is on its way is waited for.
 */
export type How = { isDemanded?: boolean; news?: { everyMs?: number }; isInAnswer?: boolean };

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
  const answers = cache instanceof AnswerCache ? cache : null;
  const isShown = (key: string) => answers === null || answers.isHeld(key);
  /** Of which lists some items alone are wanted, and of what everything: a list has one turn for either. */
  const wanted = new Map<string, ReadonlySet<string>>();
  const wantedWhole = new Set<string>();

  const wantWhole = (key: string) => {
    wanted.delete(key);
    wantedWhole.add(key);
    answers?.age(key);
  };
  const askForItems = async (key: string, ids: ReadonlySet<string>, list: ListOfItems): Promise<Outcome> => {
    // What changes from now on may come too late for this answer, and is asked for once more.
    wanted.delete(key);
    const { items, ...outcome } = await readItems(pathOfItems(list.items, ids, key), key);
    if (outcome.hasFailed && !wantedWhole.has(key)) wanted.set(key, new Set([...ids, ...(wanted.get(key) ?? [])]));
    if (outcome.hasFailed) return outcome;
    // An answer that is on its way was asked for after these have changed.
    const held = answers?.settledAnswer(key);
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
  const refresher = createRefresher({
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
    isMissed: (key) => answers?.isHeld(key) === true && (wanted.has(key) || answers.ageOf(key) >= FRESH_MS),
    isOfEverything,
    outdate(key) {
      if (!wanted.has(key)) answers?.age(key);
    },
    isLookedAt,
    onceLookedAt,
  });
  // What failed otherwise than by the network or the server fails again.
  answers?.onFailed((key, error) => {
    if (error instanceof ApiError) refresher.miss(key, outcomeOf(error));
  });
  /** What is asked for by its items, with those that were noted before; null where the whole answer is the better question. */
  const itemsToAskFor = (key: string, meant: Meant): ReadonlySet<string> | null => {
    if (typeof meant === 'boolean' || !isShown(key) || !listOfItems(key)) return null;
    const all = new Set([...(wanted.get(key) ?? []), ...meant]);
    return all.size <= MOST_ITEMS ? all : null;
  };
  const askFor = (meant: ReadonlyMap<string, Exclude<Meant, false>>, isDemanded: boolean) => {
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
    if (isDemanded) refresher.demand(shown);
    else refresher.note(shown);
  };
  const isUnderWay = (key: string) => itemsUnderWay.has(key) || answers?.isUnderWay(key) === true;
  const ageOf = (key: string) => answers?.askedAgo(key) ?? Number.POSITIVE_INFINITY;
  const doubt = createDoubts<{ isMeant: IsMeant; age: number }>(
    {
      isUnderWay,
      settled: (key) => Promise.all([itemsUnderWay.get(key), answers?.settled(key)]),
      isAskedSince: (key, at) => ageOf(key) < Date.now() - at,
    },
    (key, news) => {
      const held = answers?.settledAnswer(key);
      const all = together(news.map(({ isMeant, age }) => isMeant(key, age, held)));
      if (all) askFor(new Map([[key, all]]), false);
    },
  );
  return (isMeant: IsMeant, { isDemanded = false, news, isInAnswer = false }: How = {}): void => {
    if (news) refresher.pace(news.everyMs);
    const meant = new Map<string, Exclude<Meant, false>>();
    for (const key of [...cache.keys()]) {
      const age = ageOf(key);
      const one = isMeant(key, age, answers?.settledAnswer(key));
      if (one === false) continue;
      if (isInAnswer && isUnderWay(key)) doubt(key, { isMeant, age });
      else meant.set(key, one);
    }
    askFor(meant, isDemanded);
  };
}

/** What all of them mean. */
function together(all: readonly Meant[]): Meant {
  if (all.includes(true)) return true;
  const ids = new Set(all.flatMap((one) => (typeof one === 'boolean' ? [] : [...one])));
  return ids.size > 0 && ids;
}

/** As much of each as the list has. */
function pathOfItems(path: string, ids: ReadonlySet<string>, key: string): string {
  const people = new URLSearchParams(key.split('?')[1]).get('people');
  return `${path}?ids=${[...ids].join(',')}&limit=${MOST_ITEMS}${people === null ? '' : `&people=${people}`}`;
}
