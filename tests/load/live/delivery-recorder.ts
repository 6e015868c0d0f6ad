import { isOfEverything } from '@atrium/web/realtime/topics';
import { note, type TimesByName } from '../figures.ts';
import type { Browser, Question, Watching } from './browser.ts';

/** A change under way, and how it is to be recognised on a screen. */
export type Expected = {
  /** Of what it is, by its id. */
  id: string;
  /** Before it was sent, by `performance.now()`: what it took to write is in the figures, too. */
  at: number;
  /** Whether what is there under a key of somebody's differs after it. */
  affects: (key: string, data: unknown, person: string) => boolean;
  /** Whether what is there has it already, or something later in its place. */
  isIn: (key: string, data: unknown, askedAt: number) => boolean;
};

/** A change that differs from what is shown; `madeAt` is without end while it is on its way. */
type Differing = { id: string; madeAt: number };
/** `differing`: what no question has been for. `askedFor`: when the last that one was for had been made. */
type Place = { pending: Expected[]; askedAt: number; differing: Differing[]; askedFor: number };

/** So soon after a change a question can be ahead of the news of it. */
const NEWS_MS = 1_000;

/**
 * Questions for nothing. `told late`: the one before was asked after the change was made and before that was told, so that its answer has
 * it and cannot be seen to. `other`: nothing has changed.
 */
export type StrayKind = 'told late' | 'other';
export type Stray = { kind: StrayKind; path: string; screen: string; after: string };

/** Of what was shown to whom: `mine` is of one project's people or of one conversation, `everything` is lists of all, both in ms. */
export type Ledger = Watching & {
  /** Takes a change that is about to be made, and is to be told whether it was. */
  expect(browsers: readonly Browser[], change: Expected): { made(): void; refused(): void };
  times: TimesByName;
  /** The same by their paths. */
  timesByPath: TimesByName;
  /** Since `begin`. */
  requests(): number;
  /** Pairs of a change and a browser that shows it. */
  shownTo(): number;
  /** Questions of browsers where nothing had changed. */
  strays(): readonly Stray[];
  /** What nobody has seen yet. */
  missing(): string[];
  statuses(): Readonly<Record<string, number>>;
  /** The most that one browser asked for lists of everything, of all browsers the mean, and how many ask for any. */
  everything(): { most: number; mean: number };
  perBrowser(): ReadonlyMap<Browser, readonly Question[]>;
  begin(): void;
};

export function createLedger(): Ledger {
  const places = new Map<Browser, Map<string, Place>>();
  const questions = new Map<Browser, Question[]>();
  const ofEverything = new Map<Browser, number>();
  const strays: Stray[] = [];
  const statuses: Record<string, number> = {};
  const times: TimesByName = {};
  const timesByPath: TimesByName = {};
  let [requests, shownTo, isCounting] = [0, 0, false];

  const placeOf = (browser: Browser, key: string): Place => {
    const ofBrowser = places.get(browser) ?? new Map<string, Place>();
    places.set(browser, ofBrowser);
    const place = ofBrowser.get(key) ?? {
      pending: [],
      askedAt: 0,
      differing: [],
      askedFor: Number.NEGATIVE_INFINITY,
    };
    ofBrowser.set(key, place);
    return place;
  };
  const settle = (key: string, place: Place, data: unknown) => {
    place.pending = place.pending.filter(({ at, isIn }) => {
      if (!isIn(key, data, place.askedAt)) return true;
      const took = performance.now() - at;
      note(times, isOfEverything(key) ? 'everything' : 'mine', took);
      note(timesByPath, pathOf(key).split('?')[0] ?? key, took);
      return false;
    });
  };
  const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    asked(question) {
      // The first questions come while the browser is made.
      if (!isCounting) return;
      const { browser, key, askedAt } = question;
      const place = placeOf(browser, key);
      requests += 1;
      questions.set(browser, [...(questions.get(browser) ?? []), question]);
      if (isOfEverything(key)) count(ofEverything, browser);
      const kind = takeDiffering(place, question);
      if (kind) strays.push({ kind, path: pathOf(key), screen: browser.screen.name, after: question.after });
      place.askedAt = askedAt;
    },
    shown(browser, key, data) {
      if (isCounting) settle(key, placeOf(browser, key), data);
    },
    refused(status) {
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
    expect(browsers, change) {
      const affected: Place[] = [];
      const differing: Differing = { id: change.id, madeAt: Number.POSITIVE_INFINITY };
      for (const browser of browsers) {
        const keys = browser.screen.keys.filter((key) => change.affects(key, browser.held(key), browser.person._id));
        if (keys.length > 0) shownTo += 1;
        for (const key of keys) {
          const place = placeOf(browser, key);
          place.pending.push(change);
          place.differing.push(differing);
          affected.push(place);
        }
      }
      const end = () => {
        differing.madeAt = performance.now();
      };
      return {
        made: end,
        refused() {
          for (const place of affected) place.pending = place.pending.filter((one) => one !== change);
          end();
        },
      };
    },
    times,
    timesByPath,
    requests: () => requests,
    shownTo: () => shownTo,
    strays: () => strays,
    missing: () =>
      [...places.values()].flatMap((ofBrowser) =>
        [...ofBrowser].flatMap(([key, { pending }]) => pending.map(() => key)),
      ),
    statuses: () => statuses,
    everything() {
      const counts = [...ofEverything.values()];
      const sum = counts.reduce((total, one) => total + one, 0);
      return { most: Math.max(0, ...counts), mean: counts.length === 0 ? 0 : sum / counts.length };
    },
    perBrowser: () => questions,
    begin() {
      isCounting = true;
    },
  };
}

const pathOf = (key: string) => key.replace(/[0-9a-f]{24}/g, ':id');

/** Takes what a question is for; answers what kind of stray it is where that is nothing. */
function takeDiffering(place: Place, { ids, askedAt }: Question): StrayKind | undefined {
  const isFor = ({ id }: Differing) => !ids || ids.has(id);
  const meant = place.differing.filter(isFor);
  if (meant.length === 0) return place.askedAt - place.askedFor < NEWS_MS ? 'told late' : 'other';
  const made = meant.filter(({ madeAt }) => madeAt <= askedAt);
  place.askedFor = Math.max(place.askedFor, ...made.map(({ madeAt }) => madeAt));
  place.differing = place.differing.filter((one) => !made.includes(one));
  return undefined;
}
