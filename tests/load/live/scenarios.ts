import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { type Figure, percentile } from '../figures.ts';
import { type Browser, openBrowser, type Watching } from './browser.ts';
import { createChanges } from './changes.ts';
import { createCpu, detailOf } from './cpu.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { Office } from './office.ts';
import { type Seat, screens, seat, UNREAD } from './screens.ts';

export type Plan = { office: Office; browsers: number; seconds: number; print: (line: string) => void };

/** Changes a second, of all kinds. */
const RATE = 20;
const OPENED_AT_ONCE = 20;
/** Who has asked for nothing so long has caught up. */
const STILL_MS = 3_000;
/** What comes late is waited for so long. */
const AFTERWARDS_MS = 8_000;

const figure = (given: Partial<Figure> & Pick<Figure, 'what' | 'value' | 'unit'>): Figure => ({
  limit: null,
  sense: 'at most',
  detail: '',
  ...given,
});

async function openAll(office: Office, seats: readonly Seat[], ledger: Ledger): Promise<Browser[]> {
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
          .map(({ person, screen: { keys, open } }) =>
            openBrowser({ url: office.url, person, keys, watching, ...(open !== undefined && { open }) }),
          ),
      )),
    );
  await untilUp(browsers, 60_000);
  // What each has to catch up with once it is connected belongs to no change.
  await waitFor(() => performance.now() - askedAt > STILL_MS, { what: 'all browsers to be still', timeoutMs: 120_000 });
  return browsers;
}

/** Milliseconds until all are connected; infinite where they are not in time. */
async function untilUp(browsers: readonly Browser[], mostMs: number): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < mostMs) {
    if (browsers.every((browser) => browser.isUp())) return performance.now() - begun;
    await delay(50);
  }
  return Number.POSITIVE_INFINITY;
}

/** Begins one at its time after the other, whether or not those of before have ended. */
async function atRate(perSecond: number, seconds: number, work: (turn: number) => Promise<void>): Promise<void> {
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

/** Mixed changes, seen by a quarter each on the dashboard, the tracker, a board and Team Chat. */
export async function changes({ office, browsers: count, seconds, print }: Plan): Promise<Figure[]> {
  const ledger = createLedger();
  const browsers = await openAll(office, await seat(office, count), ledger);
  const change = createChanges({ office, browsers: () => browsers, ledger });
  const cpu = createCpu(office);
  const begun = performance.now();
  ledger.begin();
  await atRate(RATE, seconds, change);
  const took = (performance.now() - begun) / 1_000;
  const cores = cpu.cores();
  const { most, mean } = ledger.everything();
  await delay(AFTERWARDS_MS);
  const { mine = [], everything = [] } = ledger.times;
  const strays = Object.values(ledger.strays()).reduce((sum, one) => sum + one, 0);
  const refused = ledger.statuses();
  tellStrays(ledger, print);
  for (const browser of browsers) browser.close();
  const shown = (what: string, times: number[], limit: number) =>
    figure({
      what,
      value: percentile(times, 0.95) / 1_000,
      unit: ' s',
      limit,
      detail: `95th percentile of ${times.length}; ${(percentile(times, 0.5) / 1_000).toFixed(2)} s at the median`,
    });
  const per = `${count} browsers, ${RATE} changes a second for ${seconds} s`;
  return [
    shown('commit to shown, what one project’s or conversation’s people look at', mine, 1),
    shown('commit to shown, lists of everything', everything, 5),
    figure({
      what: 'requests for each change and browser that shows it',
      value: ledger.requests() / ledger.shownTo(),
      unit: '',
      limit: 1.2,
      detail: `${ledger.requests()} requests for ${ledger.shownTo()}; ${per}`,
    }),
    figure({ what: 'requests where nothing had changed', value: strays, unit: '', limit: 0 }),
    figure({
      what: 'lists of everything, requests of one browser in 2 s',
      value: (most * 2) / took,
      unit: '',
      limit: 1,
      detail: `the browser with most; ${((mean * 2) / took).toFixed(2)} at the mean of those that show any`,
    }),
    figure({
      what: 'changes that somebody did not see',
      value: ledger.missing().length,
      unit: '',
      limit: 0,
      detail: [...new Set(ledger.missing())].slice(0, 3).join(' '),
    }),
    figure({ what: 'answers 429', value: refused[429] ?? 0, unit: '', limit: 0 }),
    figure({ what: 'answers 503, or none', value: (refused[503] ?? 0) + (refused[0] ?? 0), unit: '', limit: 0 }),
    figure({
      what: 'CPU of the gateway',
      value: cores.gateway ?? Number.NaN,
      unit: ' cores',
      limit: 1,
      detail: detailOf(cores),
    }),
  ];
}

function tellStrays(ledger: Ledger, print: Plan['print']): void {
  for (const [path, times] of Object.entries(ledger.strays()))
    print(`  asked where nothing had changed: ${path} ${times} times`);
}

const MESSAGES_A_SECOND = 10;
const TABS = 5;

/** A conversation in which ten messages a second are said: one tab that watches it, then five of one person. */
export async function channel({ office, seconds, print }: Plan): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [tabs, limit] of [
    [1, 60],
    [TABS, 90],
  ] as const) {
    const people = office.members.slice(0, 20);
    const [watcher, ...talking] = people;
    if (!watcher) throw new Error('nobody is there to watch');
    const open = await office.makeChannel(people);
    const ledger = createLedger();
    const seats = Array.from({ length: tabs }, () => ({ person: watcher, screen: screens.chat(open) }));
    const browsers = await openAll(office, seats, ledger);
    ledger.begin();
    let sent = 0;
    await atRate(MESSAGES_A_SECOND, seconds, async (turn) => {
      sent += 1;
      const speaker = talking[turn % talking.length];
      const body = { conversation: open, content: `Said in passing #${turn}` };
      if (speaker) await office.write('/chat/messages', speaker, { method: 'POST', body });
    });
    for (const [path, times] of Object.entries(ledger.strays())) print(`  ${tabs} tabs: ${path} ${times} times`);
    await delay(AFTERWARDS_MS);
    const last = browsers.map((browser) => lastSeqOf(browser, open));
    for (const browser of browsers) browser.close();
    figures.push(
      // Who hears nothing asks for nothing either.
      figure({
        what: `messages that some of ${tabs} tabs did not show`,
        value: sent - Math.min(...last),
        unit: '',
        limit: 0,
        detail: `of ${sent}`,
      }),
    );
    figures.push(
      figure({
        what: `${tabs} of one person’s tabs watching a channel at ${MESSAGES_A_SECOND} messages a second`,
        value: (ledger.requests() * 60) / seconds,
        unit: ' requests a minute',
        limit,
        detail: `${ledger.requests()} in ${seconds} s`,
      }),
    );
  }
  return figures;
}

/** Up to where a browser's list of conversations has one. */
function lastSeqOf({ keys, held }: Browser, conversation: string): number {
  const lists = keys.map((key) => held(key) as { data?: { _id: string; lastSeq?: number }[] } | undefined);
  const found = lists
    .flatMap((list) => (Array.isArray(list?.data) ? list.data : []))
    .find(({ _id }) => _id === conversation);
  return found?.lastSeq ?? 0;
}

/** Chat is stopped and started again where nothing changes. */
export async function restart({ office, browsers: count, print }: Plan): Promise<Figure[]> {
  const ledger = createLedger();
  const browsers = await openAll(office, await seat(office, count), ledger);
  ledger.begin();
  await office.restartChat();
  const tookMs = await untilUp(browsers, 60_000);
  await delay(AFTERWARDS_MS);
  tellStrays(ledger, print);
  for (const browser of browsers) browser.close();
  return [
    figure({
      what: 'all browsers back after a restart of chat',
      value: tookMs / 1_000,
      unit: ' s',
      limit: 30,
      detail: `${count} browsers, from when it is ready`,
    }),
    figure({
      what: 'requests of a browser then, where nothing changed',
      value: Math.max(0, ...ledger.perBrowser().values()),
      unit: '',
      limit: 3,
      detail: `the browser with most; ${ledger.requests()} in all`,
    }),
  ];
}

const CHANGES_MISSED = 200;

/** Each screen is offline while things change, and then compared with what the server answers. */
export async function offline({ office, seconds }: Plan): Promise<Figure[]> {
  const ledger = createLedger();
  const browsers = await openAll(office, await seat(office, 4), ledger);
  const change = createChanges({ office, browsers: () => browsers, ledger });
  for (const browser of browsers) browser.setOnline(false);
  ledger.begin();
  await atRate(CHANGES_MISSED / seconds, seconds, change);
  const before = browsers.map((browser) => browser.bytes());
  const requests = ledger.requests();
  for (const browser of browsers) browser.setOnline(true);
  const backMs = await untilUp(browsers, 30_000);
  await delay(2_000);
  const bytes = browsers.map((browser, index) => browser.bytes() - (before[index] ?? 0));
  const asked = ledger.requests() - requests;
  const differing = (await Promise.all(browsers.map((browser) => differingKeys(office, browser)))).flat();
  for (const browser of browsers) browser.close();
  return [
    figure({
      what: `screens that differ from a fresh load 2 s after ${seconds} s offline`,
      value: differing.length,
      unit: '',
      limit: 0,
      detail: `${CHANGES_MISSED} changes, up again after ${backMs.toFixed(0)} ms ${differing.join(' ')}`,
    }),
    figure({
      what: 'requests then',
      value: asked,
      unit: '',
      limit: CHANGES_MISSED + 20,
      detail: `${browsers.length} browsers; ${(bytes.reduce((sum, one) => sum + one, 0) / 1_024).toFixed(0)} KB`,
    }),
  ];
}

async function differingKeys(office: Office, browser: Browser): Promise<string[]> {
  const isSame = async (key: string) => {
    const response = await fetch(`${office.url}/api${key.replace(/&pages=\d+$/, '')}`, {
      headers: { authorization: `Bearer ${browser.person.token}` },
    });
    const answer = await response.json();
    // It counts on from its answer, without asking.
    if (key === UNREAD) return (answer as { total: number }).total === browser.unread();
    return JSON.stringify(answer) === JSON.stringify(browser.held(key));
  };
  const same = await Promise.all(browser.keys.map(isSame));
  return browser.keys.filter((_, index) => !same[index]);
}
