import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createWatchedContext, startSystemIn } from '@atrium/test-kit/system/start-system';
import { openStores } from '@atrium/test-kit/system/stores';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { HIGH_LIMITS } from '../../workspace/builders.ts';
import { type Client, createUser, setUpWorkspace } from '../../workspace/workspace.ts';
import { QUIET_FLAGS } from '../chromium.ts';
import { findChromium } from '../setup/find-chromium.ts';
import { type FrameFigures, recordFrames, throttle, wheel } from './record-frames.ts';
import { MESSAGES, seedLongConversation, seqAt } from './seed-long-conversation.ts';

/**
 * `npm run test:scrolling` starts Atrium with a conversation of a million messages, and scrolls through it in Chromium
 * with the CPU slowed down four times. It prints frames, long tasks, and times of jumps next to those of an empty page
 * of the same height, which shows what the machine reaches. Run it with nothing else running. `-- --messages 500` sets
 * how far it scrolls (2,000), and `--profile` records what the scripts do in `output/scrolling`.
 */
const { values } = parseArgs({
  options: { messages: { type: 'string', default: '2000' }, profile: { type: 'boolean', default: false } },
});
const DISTANCE = Number(values.messages);
const OUTPUT = join(import.meta.dirname, '../../../output/scrolling');
const VIEWPORT = { width: 1280, height: 800 };
const STEP_PX = 8_000;
const print = (line: string) => void process.stdout.write(`${line}\n`);
const shareOf = (share: number) => `${(share * 100).toFixed(1)}%`.padStart(6);

const { context } = createWatchedContext({ env: HIGH_LIMITS });
const system = await startSystemIn({ context, errors: () => [] }, { checkPublished: false });
const stores = await openStores(system, context);
const { file, version } = await findChromium();
const browser = await chromium.launch({ executablePath: file, args: QUIET_FLAGS, headless: true });
try {
  const admin = await setUpWorkspace(system.url);
  const create = (first: string) => createUser(system.url, admin, { first, last: 'Long', role: 'member' });
  const [writer, reader, ...others] = await Promise.all(['Nora', 'Theo', 'Iris', 'Paul'].map(create));
  if (!writer || !reader) throw new Error('No users');
  const startedAt = performance.now();
  const { conversation, now } = await seedLongConversation({ stores, url: system.url }, { writer, others, reader });
  print(
    `Chromium ${version}; ${MESSAGES} messages created in ${Math.round((performance.now() - startedAt) / 1_000)} s`,
  );
  const open = (user: Client) => openSignedIn(user, `/chat?c=${conversation}`);
  const page = await open(writer);
  await waitForSeq(page, MESSAGES);
  await measureEmptyPage(await measureScrolling(page));
  await measureJumps(page, now);
  await page.context().close();
  const openedAt = performance.now();
  const unreadPage = await open(reader);
  await waitForSeq(unreadPage, MESSAGES / 2 + 1);
  const ms = Math.round(performance.now() - openedAt);
  print(`to the first of ${MESSAGES / 2} unread messages: ${ms} ms, with the app, and without throttling`);
  await unreadPage.context().close();
} finally {
  await browser.close();
  await stores.close();
  await system.stop();
  await context.reaper.close();
}

async function openSignedIn({ token, refreshToken }: Client, path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT, timezoneId: 'Europe/Berlin', locale: 'en-GB' });
  // Any file of the origin gives access to its storage without starting the app.
  await page.goto(`${system.url}/robots.txt`);
  await page.evaluate(
    (tokens) => {
      localStorage.setItem('access_token', tokens.token);
      localStorage.setItem('refresh_token', tokens.refreshToken);
      localStorage.setItem('atrium:token-came-at', String(Date.now()));
    },
    { token, refreshToken },
  );
  await page.goto(system.url + path);
  return page;
}

async function waitForSeq(page: Page, seq: number): Promise<void> {
  await page.locator(`article[data-seq="${seq}"]`).waitFor({ timeout: 60_000 });
}

function printFigures(name: string, figures: FrameFigures): void {
  const { framesPerSecond, over16, over33, over50, longest, longTasks, longTaskMs, seconds } = figures;
  print(
    `${name.padEnd(26)} ${framesPerSecond.toFixed(1).padStart(5)} ${shareOf(over16)} ${shareOf(over33)} ${shareOf(over50)} ` +
      `${longest.toFixed(0).padStart(6)} ms ${String(longTasks).padStart(4)} (${Math.round(longTaskMs)} ms in ${seconds.toFixed(0)} s)`,
  );
}

function readPosition(page: Page) {
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll('article[data-seq]')];
    const log = rows[0]?.closest('[role="region"]');
    const seqs = rows.map((row) => Number(row.getAttribute('data-seq')));
    return {
      first: Math.min(...seqs),
      last: Math.max(...seqs),
      rows: rows.length,
      height: log?.scrollHeight ?? 0,
      isAtWall: (log?.scrollTop ?? 0) < 1,
    };
  });
}

/** Scrolls up and back, and returns the height of what was scrolled. */
async function measureScrolling(page: Page): Promise<number> {
  const devtools = await throttle(page);
  print(`\n${''.padEnd(26)}   fps >16.7ms  >33ms  >50ms  longest  long tasks`);
  if (values.profile) await devtools.send('Profiler.enable').then(() => devtools.send('Profiler.start'));
  let walls = 0;
  let wheelCount = 0;
  const scrollOnce = async (distance: number) => {
    await wheel(devtools, distance);
    wheelCount += 1;
    const position = await readPosition(page);
    if (position.isAtWall) walls += 1;
    return position;
  };
  const up = await recordFrames(page, async () => {
    while ((await scrollOnce(STEP_PX)).first > MESSAGES - DISTANCE && wheelCount < 200);
  });
  printFigures(`${DISTANCE} messages up`, up);
  const { height, rows } = await readPosition(page);
  print(
    `  in ${wheelCount} steps of ${STEP_PX} px, ${walls} of which ended at the first loaded message; ${rows} rows mounted`,
  );
  wheelCount = 0;
  const down = await recordFrames(page, async () => {
    while ((await scrollOnce(-STEP_PX)).last < MESSAGES && wheelCount < 200);
  });
  printFigures(`${DISTANCE} messages down`, down);
  if (values.profile) await saveProfile(devtools);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return height;
}

async function saveProfile(devtools: CDPSession): Promise<void> {
  const { profile } = await devtools.send('Profiler.stop');
  await mkdir(OUTPUT, { recursive: true });
  await writeFile(join(OUTPUT, 'scrolling.cpuprofile'), JSON.stringify(profile));
}

async function measureJumps(page: Page, now: number): Promise<void> {
  await throttle(page);
  print('');
  const time = async (name: string, seq: number, go: () => Promise<void>) => {
    const startedAt = performance.now();
    await go();
    await waitForSeq(page, seq);
    print(`${name.padEnd(26)} ${Math.round(performance.now() - startedAt)} ms`);
  };
  await page.getByRole('button', { name: 'Jump to date' }).click();
  await page.getByRole('dialog', { name: 'Jump to date' }).getByRole('spinbutton').first().focus();
  await page.keyboard.type('15062021');
  const midnight = new Date('2021-06-15T00:00:00+02:00');
  await time('to a date in the first year', seqAt(midnight, now), () => page.keyboard.press('Enter'));
  const back = () => page.evaluate(() => window.history.back());
  const link = (seq: number) =>
    page.evaluate((to) => {
      const url = new URL(window.location.href);
      url.searchParams.set('m', String(to));
      window.history.pushState({ key: String(to) }, '', url);
      window.dispatchEvent(new PopStateEvent('popstate', { state: { key: String(to) } }));
    }, seq);
  await time('to a link', 345_678, () => link(345_678));
  await time('back', seqAt(midnight, now), back);
  await time('to the latest message', MESSAGES, () => page.getByRole('button', { name: 'Jump to latest' }).click());
}

/** What the machine reaches without any content. */
async function measureEmptyPage(height: number): Promise<void> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.setContent(
    `<div style="height: 780px; overflow-y: auto"><div style="height: ${height}px; background: linear-gradient(red, blue)"></div></div>`,
  );
  const devtools = await throttle(page);
  const figures = await recordFrames(page, async () => {
    for (let step = 0; step < 6; step += 1) await wheel(devtools, step < 3 ? -STEP_PX : STEP_PX);
  });
  printFigures('an empty page', figures);
  await page.context().close();
}
