import { isDeepStrictEqual } from 'node:util';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { expectStatus } from '../../workspace/workspace.ts';
import { listOf, logOf, message, openConversation, row, say, scrollTo, untilSeen } from './screen.ts';
import { conversationOf, everyone, type Team, type Teammate, untilFigures } from './team.ts';

const ALL_PAGES = 1_000;

/** What is written while the phone is offline arrives once, in both directions. */
export async function goOffline(team: Team): Promise<void> {
  const { phone, desk } = team;
  for (const user of [phone, desk]) await openConversation(user, 'launch');
  const elevator = await enterElevator(phone);
  await say(phone, 'Written in the elevator');
  await say(phone, 'and a second one');
  await elevator.loseConnection();
  await say(desk, 'Meanwhile at the desk');
  await untilSeen([desk], (page) => message(page, 'Meanwhile at the desk'));
  for (const words of ['Written in the elevator', 'and a second one'])
    await message(phone.page, words).getByText('Not sent').waitFor();
  expect(await message(phone.page, 'Meanwhile at the desk').count()).toBe(0);
  await elevator.leave();
  await untilSeen([phone], (page) => message(page, 'Meanwhile at the desk'));
  await untilSeen([phone, desk], (page) => message(page, 'and a second one'));
  for (const { page } of [phone, desk])
    for (const words of ['Written in the elevator', 'and a second one', 'Meanwhile at the desk'])
      await waitFor(async () => (await message(page, words).count()) === 1, { description: `"${words}" once` });
}

/** What is sent has no response at first, and then fails. Without the delay, it returns to the empty field at once. */
async function enterElevator({ page, context }: Teammate) {
  const sending = '**/api/chat/messages';
  const lost = Promise.withResolvers<void>();
  await page.route(sending, async (route) => {
    await lost.promise;
    await route.abort('internetdisconnected');
  });
  return {
    async loseConnection(): Promise<void> {
      await context.setOffline(true);
      lost.resolve();
    },
    async leave(): Promise<void> {
      await page.unroute(sending);
      await context.setOffline(false);
    },
  };
}

/** Everyone reads everything, and every screen equals a fresh load. */
export async function endDay(team: Team): Promise<void> {
  for (const name of ['lunch', 'launch']) await openConversation(team.desk, name);
  await scrollTo(team.desk.page, 'The build is public');
  for (const user of everyone(team)) {
    await readEverything(user);
    await untilFigures(user, 0);
  }
  for (const user of everyone(team)) {
    await openConversation(user, 'launch');
    await expectFreshLoad(user);
  }
}

async function readEverything(user: Teammate): Promise<void> {
  const { page } = user;
  const back = page.getByRole('button', { name: 'All conversations' });
  // Some users have an open thread, others a conversation or a search.
  await page.goto(`${user.base}/chat?threads=all`);
  const threads = page.getByRole('region', { name: 'Threads', exact: true });
  const unread = threads.getByRole('button', { name: /unread repl/ });
  const listed = threads.getByText('No threads yet').or(threads.getByRole('button', { name: /\d repl/ }));
  await listed.first().waitFor();
  while ((await unread.count()) > 0) {
    const count = await unread.count();
    await unread.first().click();
    await waitFor(async () => (await unread.count()) < count, { description: 'the thread to be read' });
    await page.goto(`${user.base}/chat?threads=all`);
    await listed.first().waitFor();
  }
  await page.goto(`${user.base}/chat`);
  await row(page, 'launch').waitFor();
  const names = await listOf(page).getByRole('listitem').locator('strong').allInnerTexts();
  for (const name of names) {
    await openConversation(user, name);
    await row(page, name)
      .getByText(/unread message/)
      .waitFor({ state: 'detached' });
  }
  if (await back.isVisible()) await back.click();
}

type Screen = { list: string[]; messages: Map<number, string> };

/** The texts of the list and, by seq, of the whole open conversation. */
async function readScreen(page: Page): Promise<Screen> {
  const list = await listOf(page).getByRole('listitem').allInnerTexts();
  return { list: list.map(withoutTimes), messages: await readLog(page) };
}

const withoutTimes = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/(just now|\d+ (sec|min|hour)\w* ago|\d+:\d\d [AP]M)/gi, '');

/** Scrolls from the end to the start, because messages far from the viewport are not rendered. */
async function readLog(page: Page): Promise<Map<number, string>> {
  const log = logOf(page);
  const texts = new Map<number, string>();
  await scrollBy(log, ALL_PAGES);
  for (let isAtStart = false; !isAtStart; ) {
    isAtStart = (await log.evaluate((box) => box.scrollTop < 1)) && !(await isLoadingMore(page));
    for (const [seq, text] of await log.evaluate(readRendered)) texts.set(seq, withoutTimes(text));
    await scrollBy(log, -0.5);
  }
  return texts;
}

const readRendered = (box: Element): [seq: number, text: string][] =>
  [...box.querySelectorAll<HTMLElement>('[data-seq]')].map((row) => [Number(row.dataset.seq), row.innerText]);

const isLoadingMore = async (page: Page) => (await page.getByText('Loading messages').count()) > 0;

/** Returns once the list has rendered, and has requested what it needs. */
async function scrollBy(log: Locator, pages: number): Promise<void> {
  await log.evaluate(async (box, factor) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    box.scrollBy({ top: factor * box.clientHeight, behavior: 'instant' });
    requestAnimationFrame(() => requestAnimationFrame(resolve));
    await promise;
  }, pages);
}

/** Both are read again until they are equal, because previews load as they are scrolled to. */
async function expectFreshLoad({ page, client, context }: Teammate): Promise<void> {
  const path = `/chat/messages?conversation=${conversationOf(page)}&limit=100`;
  const { data } = await expectStatus(client.call<{ data: { seq: number }[] }>('GET', path), 200);
  const seqs = data.map(({ seq }) => seq);
  const tab = await context.newPage();
  await tab.goto(page.url());
  await logOf(tab).getByRole('article').first().waitFor();
  const screens: Record<'shown' | 'loaded', Screen | null> = { shown: null, loaded: null };
  await waitFor(
    async () => {
      screens.shown = await readScreen(page);
      screens.loaded = await readScreen(tab);
      return isDeepStrictEqual(screens.shown, screens.loaded);
    },
    { description: 'the screen to equal a fresh load' },
  ).catch(() => expect(screens.shown).toEqual(screens.loaded));
  expect([...(screens.shown?.messages.keys() ?? [])].toSorted((a, b) => a - b)).toEqual(seqs);
  await tab.close();
}
