import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { Figure } from '../figures.ts';
import { type Browser, openBrowser, type Watching } from './browser.ts';
import type { Ledger } from './delivery-recorder.ts';
import type { Seat } from './screens.ts';
import type { Office } from './virtual-users.ts';

export type Plan = { office: Office; browsers: number; seconds: number; print: (line: string) => void };

/** What comes late is waited for so long. */
export const AFTERWARDS_MS = 15_000;

const OPENED_AT_ONCE = 20;
/** Who has asked for nothing so long has caught up. */
const STILL_MS = 3_000;

export const figure = (given: Partial<Figure> & Pick<Figure, 'what' | 'value' | 'unit'>): Figure => ({
  limit: null,
  sense: 'at most',
  detail: '',
  ...given,
});

export async function openAll(office: Office, seats: readonly Seat[], ledger: Ledger): Promise<Browser[]> {
  // Of another scenario.
  await office.settled();
  const browsers: Browser[] = [];
  let askedAt = 0;
  const watching: Watching = {
    ...ledger,
    asked(question) {
      askedAt = performance.now();
      ledger.asked(question);
    },
  };
  for (let from = 0; from < seats.length; from += OPENED_AT_ONCE)
    browsers.push(
      ...(await Promise.all(
        seats
          .slice(from, from + OPENED_AT_ONCE)
          .map(({ person, screen }) => openBrowser({ url: office.url, person, screen, watching })),
      )),
    );
  await untilUp(browsers, 60_000);
  // What each has to catch up with once it is connected belongs to no change.
  await waitFor(() => performance.now() - askedAt > STILL_MS, { what: 'all browsers to be still', timeoutMs: 120_000 });
  return browsers;
}

/** Milliseconds until all are connected; infinite where they are not in time. */
export async function untilUp(browsers: readonly Browser[], mostMs: number): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < mostMs) {
    if (browsers.every((browser) => browser.isUp())) return performance.now() - begun;
    await delay(50);
  }
  return Number.POSITIVE_INFINITY;
}

/** Begins one at its time after the other, whether or not those of before have ended. */
export async function atRate(perSecond: number, seconds: number, work: (turn: number) => Promise<void>): Promise<void> {
  const begun = performance.now();
  const running: Promise<void>[] = [];
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    const early = (turn / perSecond) * 1_000 - (performance.now() - begun);
    if (early > 0) await delay(early);
    const done = work(turn);
    // Told below, when the others have ended: a rejection that nobody has taken yet would end the process, and leave its services alone.
    done.catch(() => undefined);
    running.push(done);
  }
  await Promise.all(running);
}
