import { waitFor } from '@atrium/test-kit/wait-for';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { listOf, logOf, message, openConversation, row, say, scrollTo, untilSeen } from './screen.ts';
import { everyone, type Team, type Teammate, untilFigures } from './team.ts';

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

/** The texts of the list and of the open conversation, without relative times. */
async function readScreen(page: Page): Promise<string[]> {
  const parts = [
    ...(await listOf(page).getByRole('listitem').allInnerTexts()),
    ...(await logOf(page).getByRole('article').allInnerTexts()),
  ];
  return parts.map((text) => text.replaceAll(/\s+/g, ' ').replaceAll(/(just now|\d+ (sec|min|hour)\w* ago)/gi, ''));
}

async function expectFreshLoad({ page, base }: Teammate): Promise<void> {
  const shown = await readScreen(page);
  const errors: string[] = [];
  await page.goto(`${base}${new URL(page.url()).pathname}${new URL(page.url()).search}`);
  await page.reload();
  await waitFor(
    async () => {
      const loaded = await readScreen(page);
      errors.splice(0, errors.length, ...difference(shown, loaded));
      return errors.length === 0;
    },
    { description: 'the loaded screen to equal the live one' },
  ).catch(() => expect(errors).toEqual([]));
}

const difference = (shown: readonly string[], loaded: readonly string[]): string[] => [
  ...shown.filter((text) => !loaded.includes(text)).map((text) => `only live: ${text}`),
  ...loaded.filter((text) => !shown.includes(text)).map((text) => `only loaded: ${text}`),
];
