import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { type BrowserUser, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const SIZES = [360, 1_600];

type Sent = { _id: string; seq: number };

const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Messages in/ });
const message = (page: Page, words: string): Locator =>
  logOf(page)
    .getByRole('article')
    .filter({ has: page.getByText(words, { exact: true }) });
const chip = (page: Page, words: string, name: string): Locator =>
  message(page, words).getByRole('group', { name: 'Reactions' }).getByRole('button', { name, exact: true });
const picker = (page: Page): Locator => page.getByRole('dialog', { name: 'Add reaction' });
const search = (page: Page): Locator => picker(page).getByRole('searchbox', { name: 'Search emoji' });

/** Creates a conversation of two users with messages, and opens it in both browsers. */
async function openConversation(...contents: string[]) {
  const [nora, theo] = await Promise.all([
    environment.createUser('Nora', 'member'),
    environment.createUser('Theo', 'member'),
  ]);
  const title = `reactions-${environment.uniqueWord().toLowerCase()}`;
  const body = { type: 'group', title, participants: [theo.id] };
  const { _id: id } = await expectStatus(nora.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  const sent: Sent[] = [];
  for (const content of contents)
    sent.push(await expectStatus(nora.call<Sent>('POST', '/chat/messages', { conversation: id, content }), 201));
  const path = `/chat?c=${id}`;
  const [left, right] = await Promise.all([environment.openPage(nora, path), environment.openPage(theo, path)]);
  await message(left.page, contents.at(-1) ?? '').waitFor();
  // Opens at its first unread message.
  await message(right.page, contents[0] ?? '').waitFor();
  return { nora, theo, left, right, sent };
}

const react = (client: Client, { _id }: Sent | { _id: string }, emoji: string) =>
  expectStatus(client.call('PUT', `/chat/messages/${_id}/reactions/${encodeURIComponent(emoji)}`), 200);

async function hoverAndPress({ page }: BrowserUser, words: string, button: string): Promise<void> {
  await message(page, words).hover();
  await message(page, words)
    .getByRole('group', { name: 'Message', exact: true })
    .getByRole('button', { name: button })
    .click();
}

describe('reactions', () => {
  it('are added by the bar, by search, and by keyboard, and are live in the other browser', async () => {
    const { left, right } = await openConversation('lunch at noon?', 'the build is green');
    await hoverAndPress(left, 'lunch at noon?', 'React with 👍');
    await chip(left.page, 'lunch at noon?', '👍, 1 person: you').waitFor();
    await chip(right.page, 'lunch at noon?', '👍, 1 person').click();
    await chip(left.page, 'lunch at noon?', '👍, 2 people, including you').waitFor();

    await hoverAndPress(right, 'the build is green', 'Add reaction');
    await search(right.page).fill('party popper');
    await captureThemesAndSizes(right, 'reactions-search', [1_600]);
    await picker(right.page).getByRole('gridcell', { name: 'Party popper' }).click();
    await picker(right.page).waitFor({ state: 'detached' });
    await chip(left.page, 'the build is green', '🎉, 1 person').waitFor();

    await message(left.page, 'the build is green').focus();
    await left.page.keyboard.press('r');
    await picker(left.page).getByRole('gridcell').first().waitFor();
    await captureThemesAndSizes(left, 'reactions-picker', [1_600]);
    await left.page.keyboard.press('Escape');
    await picker(left.page).waitFor({ state: 'detached' });
    expect(await message(left.page, 'the build is green').evaluate((row) => row === document.activeElement)).toBe(true);
    await left.page.keyboard.press('+');
    await picker(left.page).getByRole('gridcell').first().waitFor();
    await left.page.keyboard.type('hedgehog');
    await picker(left.page).getByRole('gridcell', { name: 'Hedgehog' }).waitFor();
    await left.page.keyboard.press('Enter');
    await chip(right.page, 'the build is green', '🦔, 1 person').waitFor();

    // Tooltips follow a pointer that moves, not one that is there already.
    await message(left.page, 'lunch at noon?').hover();
    await chip(left.page, 'lunch at noon?', '👍, 2 people, including you').hover();
    await left.page
      .getByRole('tooltip')
      .filter({ hasText: /^You and Theo/ })
      .waitFor();
  });

  it('are removed by pressing again, and reverted with an error if the request fails', async () => {
    const { left, right } = await openConversation('ship it');
    await hoverAndPress(left, 'ship it', 'React with ❤️');
    await chip(right.page, 'ship it', '❤️, 1 person').waitFor();
    await left.page.route('**/reactions/**', (route) => route.fulfill({ status: 400, json: {} }));
    await chip(left.page, 'ship it', '❤️, 1 person: you').click();
    await toast(left.page, 'Error');
    await chip(left.page, 'ship it', '❤️, 1 person: you').waitFor();
    await left.page.unroute('**/reactions/**');
    await chip(left.page, 'ship it', '❤️, 1 person: you').click();
    await message(right.page, 'ship it').getByRole('group', { name: 'Reactions' }).waitFor({ state: 'detached' });
    await message(left.page, 'ship it').getByRole('group', { name: 'Reactions' }).waitFor({ state: 'detached' });
  });

  it('at the end of the log keep it at its end, and those above keep the position of what is visible', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
    const { theo, left, sent } = await openConversation(...lines);
    const { page } = left;
    const distanceToEnd = () =>
      logOf(page).evaluate((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop));
    const last = sent.at(-1);
    if (!last) throw new Error('No message was sent');
    await react(theo, last, '👍');
    await chip(page, 'line 60', '👍, 1 person').waitFor();
    await waitFor(async () => (await distanceToEnd()) <= 1, { description: 'the log to stay at its end' });
    // A row above the visible part, which is still mounted.
    await logOf(page).evaluate((box) => box.scrollBy({ top: -200 }));
    await message(page, 'line 58').waitFor();
    const topOf = async () => (await message(page, 'line 58').boundingBox())?.y;
    const before = await topOf();
    await react(theo, last, '🎉');
    await chip(page, 'line 60', '🎉, 1 person').waitFor();
    expect(await topOf()).toBe(before);
  });

  it('fit a phone, with the skin tone remembered', async () => {
    const { theo, left, sent } = await openConversation('see you at the offsite', 'thanks everyone');
    const { page } = left;
    const [first] = sent;
    if (!first) throw new Error('No message was sent');
    for (const emoji of ['👍', '🎉', '😂', '❤️', '🚀', '👀', '✅', '🙌']) await react(theo, first, emoji);
    await chip(page, 'see you at the offsite', '👍, 1 person').click();
    await chip(page, 'see you at the offsite', '🙌, 1 person').waitFor();
    await page.mouse.move(0, 0);
    await captureThemesAndSizes(left, 'reactions-chips', SIZES);
    await page.setViewportSize({ width: 360, height: 740 });
    await hoverAndPress(left, 'thanks everyone', 'Add reaction');
    await picker(page).getByRole('gridcell').first().waitFor();
    await picker(page).getByRole('button', { name: 'Medium skin tone' }).click();
    await captureThemesAndSizes(left, 'reactions-sheet', [360]);
    const sheet = await picker(page).boundingBox();
    expect(sheet?.width).toBeGreaterThanOrEqual(358);
    await search(page).fill('thumbs up');
    const cell = picker(page).getByRole('gridcell', { name: 'Thumbs up' });
    expect((await cell.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await cell.click();
    await chip(page, 'thanks everyone', '👍🏽, 1 person: you').waitFor();
    await hoverAndPress(left, 'thanks everyone', 'Message actions');
    await page.getByRole('menu', { name: 'Message actions' }).waitFor();
    await captureThemesAndSizes(left, 'reactions-menu', [360]);
    await page.getByRole('button', { name: 'React with ❤️' }).last().click();
    await page.getByRole('menu', { name: 'Message actions' }).waitFor({ state: 'detached' });
    await chip(page, 'thanks everyone', '❤️, 1 person: you').waitFor();
    await hoverAndPress(left, 'thanks everyone', 'Add reaction');
    await picker(page).getByRole('button', { name: 'Medium skin tone', pressed: true }).waitFor();
  });
});
