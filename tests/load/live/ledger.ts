import { isOfEverything } from '@atrium/web/realtime/topics';
import { note, type TimesByName } from '../figures.ts';
import type { Browser, Question, Watching } from './browser.ts';

/** A change under way, and how it is to be recognised on a screen. */
export type Expected = {
  /** Before it was sent, by `performance.now()`: what it took to write is in the figures, too. */
  at: number;
  /** Whether what is there under a key differs after it. */
  affects: (key: string, data: unknown) => boolean;
  /** Whether what is there has it already, or something later in its place. */
  isIn: (key: string, data: unknown, askedAt: number) => boolean;
};

/** `affectedUntil`: when the last change that affects it was made; without end while one is on its way. */
type Place = { pending: Expected[]; askedAt: number; affectedUntil: number };

/** Of what was shown to whom: `mine` is of one project's people or of one conversation, `everything` is lists of all, both in ms. */
export type Ledger = Watching & {
  /** Takes a change that is about to be made, and is to be told whether it was. */
  expect(browsers: readonly Browser[], change: Expected): { made(): void; refused(): void };
  times: TimesByName;
  /** Since `begin`. */
  requests(): number;
  /** Pairs of a change and a browser that shows it. */
  shownTo(): number;
  /** Questions of browsers where nothing had changed. */
  strays(): Readonly<Record<string, number>>;
  /** What nobody has seen yet. */
  missing(): string[];
  statuses(): Readonly<Record<string, number>>;
  /** The most that one browser asked for lists of everything, of all browsers the mean, and how many ask for any. */
  everything(): { most: number; mean: number };
  perBrowser(): Map<Browser, number>;
  begin(): void;
};

export function createLedger(): Ledger {
  const places = new Map<Browser, Map<string, Place>>();
  const questions = new Map<Browser, number>();
  const ofEverything = new Map<Browser, number>();
  const strays: Record<string, number> = {};
  const statuses: Record<string, number> = {};
  const times: TimesByName = {};
  let [requests, shownTo, isCounting] = [0, 0, false];

  const placeOf = (browser: Browser, key: string): Place => {
    const ofBrowser = places.get(browser) ?? new Map<string, Place>();
    places.set(browser, ofBrowser);
    const place = ofBrowser.get(key) ?? { pending: [], askedAt: 0, affectedUntil: 0 };
    ofBrowser.set(key, place);
    return place;
  };
  const settle = (key: string, place: Place, data: unknown) => {
    place.pending = place.pending.filter(({ at, isIn }) => {
      if (!isIn(key, data, place.askedAt)) return true;
      note(times, isOfEverything(key) ? 'everything' : 'mine', performance.now() - at);
      return false;
    });
  };
  const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    asked({ browser, key, askedAt }: Question) {
      // The first questions come while the browser is made.
      if (!isCounting) return;
      const place = placeOf(browser, key);
      requests += 1;
      count(questions, browser);
      if (isOfEverything(key)) count(ofEverything, browser);
      if (place.affectedUntil < place.askedAt || place.affectedUntil === 0) {
        const path = key.replace(/[0-9a-f]{24}/g, ':id');
        strays[path] = (strays[path] ?? 0) + 1;
      }
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
      for (const browser of browsers) {
        const keys = browser.keys.filter((key) => change.affects(key, browser.held(key)));
        if (keys.length > 0) shownTo += 1;
        for (const key of keys) {
          const place = placeOf(browser, key);
          place.pending.push(change);
          place.affectedUntil = Number.POSITIVE_INFINITY;
          affected.push(place);
        }
      }
      const end = () => {
        for (const place of affected) place.affectedUntil = performance.now();
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
