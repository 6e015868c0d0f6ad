import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it, jest } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { type BrowserUser, pickDay, toast } from './browser-user.ts';
import { openSignedInPage, setUpTestEnvironment } from './test-environment.ts';

/** More than one window loads, and more than one catch-up request returns. */
const MANY = 650;

// Hundreds of messages are sent sequentially.
jest.setTimeout(240_000);

const environment = setUpTestEnvironment();

type Room = { id: string; title: string; path: string };
type Sent = { _id: string; seq: number };

async function createRoom(creator: Client, ...others: Client[]): Promise<Room> {
  const title = `room-${environment.uniqueWord().toLowerCase()}`;
  const body = { type: 'group', title, participants: others.map(({ id }) => id) };
  const { _id: id } = await expectStatus(creator.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  return { id, title, path: `/chat?c=${id}` };
}

const sendMessage = ({ call }: Client, { id }: Room, content: string) =>
  expectStatus(call<Sent>('POST', '/chat/messages', { conversation: id, content }), 201);

async function sendMany(client: Client, room: Room, count: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (let n = 1; n <= count; n += 1) sent.push(await sendMessage(client, room, `message ${n}`));
  return sent;
}

const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Messages in/ });
const message = (page: Page, words: string): Locator =>
  logOf(page)
    .getByRole('article')
    .filter({ has: page.getByText(words, { exact: true }) });
const toLatest = (page: Page): Locator => page.getByRole('button', { name: 'Jump to latest' });

/** Whether the message is entirely in the visible part of the log. */
const isInView = async (page: Page, words: string): Promise<boolean> => {
  const [box, frame] = await Promise.all([message(page, words).boundingBox(), logOf(page).boundingBox()]);
  return box !== null && frame !== null && box.y >= frame.y - 1 && box.y + box.height <= frame.y + frame.height + 1;
};
const waitUntilInView = (page: Page, words: string) =>
  waitFor(() => isInView(page, words), { description: `${words} to be visible`, timeoutMs: 30_000 });

async function scrollUpTo(page: Page, words: string): Promise<void> {
  await waitFor(
    async () => {
      if ((await message(page, words).count()) > 0) return true;
      await logOf(page).evaluate((box) => box.scrollBy({ top: -box.clientHeight / 2 }));
      return false;
    },
    { description: `${words} while scrolling up`, timeoutMs: 60_000 },
  );
  await message(page, words).scrollIntoViewIfNeeded();
}

/** The clipboard's content, which pages of the app must not read. */
async function readClipboard({ context }: BrowserUser): Promise<string> {
  const page = await context.newPage();
  await page.setContent('<textarea></textarea>');
  const field = page.locator('textarea');
  await field.press('ControlOrMeta+V');
  const text = await field.inputValue();
  await page.close();
  return text;
}

const badgeOf = ({ page }: BrowserUser): Locator =>
  page.getByRole('navigation').getByRole('link', { name: /Team Chat/ });

/** Waits until the server has a read position in this range. */
async function positionBetween(reader: Client, { id }: { id: string }, first: number, last: number): Promise<void> {
  const position = async () => {
    const found = reader.call<{ lastReadSeq: number }>('GET', `/chat/conversations/${id}`);
    return (await expectStatus(found, 200)).lastReadSeq;
  };
  await waitFor(
    async () => {
      const seq = await position();
      return seq >= first && seq <= last;
    },
    { description: `a read position between ${first} and ${last}` },
  );
}

describe('a position in a long conversation', () => {
  it('can be linked and opened by another user, who scrolls to the end, to a date, and back', async () => {
    const [nora, theo] = await Promise.all([
      environment.createUser('Nora', 'member'),
      environment.createUser('Theo', 'member'),
    ]);
    const room = await createRoom(nora, theo);
    await sendMany(nora, room, MANY);
    const writer = await environment.openPage(nora, room.path);
    await writer.context.grantPermissions(['clipboard-write']);
    await waitUntilInView(writer.page, `message ${MANY}`);
    await scrollUpTo(writer.page, 'message 150');
    await message(writer.page, 'message 150').hover();
    await message(writer.page, 'message 150').getByRole('button', { name: 'Message actions' }).click();
    await writer.page.getByRole('menuitem', { name: 'Copy link' }).click();
    await toast(writer.page, 'Link copied');
    const link = await readClipboard(writer);
    expect(link).toBe(`${writer.base}${room.path}&m=150`);

    const { page } = await environment.openPage(theo, link.slice(writer.base.length));
    await waitUntilInView(page, 'message 150');
    expect(await message(page, 'message 150').getAttribute('aria-current')).toBe('true');
    await message(page, 'message 150').and(page.locator(':not([aria-current])')).waitFor();
    await toLatest(page).click();
    await waitUntilInView(page, `message ${MANY}`);
    await toLatest(page).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Jump to date' }).click();
    const today = new Date().toLocaleDateString('en-GB', { timeZone: 'Europe/Berlin', day: 'numeric' });
    await pickDay(page.getByRole('dialog', { name: 'Jump to date' }), 'Day', Number(today));
    await waitUntilInView(page, 'message 1');
    await page.goBack();
    await waitUntilInView(page, 'message 150');
  });

  it('opens at the first unread message, and marks only visible messages as read', async () => {
    const [nora, theo] = await Promise.all([
      environment.createUser('Nora', 'member'),
      environment.createUser('Theo', 'member'),
    ]);
    const room = await createRoom(nora, theo);
    await sendMany(nora, room, MANY);
    await expectStatus(theo.call('POST', `/chat/conversations/${room.id}/read`, { seq: 100 }), 200);
    const reader = await environment.openPage(theo, '/settings');
    const { page } = reader;
    await waitFor(async () => /\d/.test((await badgeOf(reader).textContent()) ?? ''), {
      description: 'the unread badge',
    });
    await page.goto(reader.base + room.path);
    await waitUntilInView(page, 'message 101');
    await logOf(page).getByText('New messages').waitFor();
    await positionBetween(theo, room, 101, 150);
    await toLatest(page).filter({ hasText: /\d/ }).waitFor();
    // New messages are not appended to a window that does not reach the end.
    await sendMessage(nora, room, 'sent in between');
    await toLatest(page).click();
    await waitUntilInView(page, 'sent in between');
    await sendMessage(nora, room, 'sent last');
    await waitUntilInView(page, 'sent last');
    await waitFor(async () => !/\d/.test((await badgeOf(reader).textContent()) ?? ''), {
      description: 'the badge to fall',
    });
    await scrollUpTo(page, 'message 500');
    await page.getByRole('textbox', { name: /^Message/ }).fill('my own');
    await page.keyboard.press('Enter');
    await waitUntilInView(page, 'my own');
  });

  it('marks no messages as read that arrive below the visible part or while the window has no focus', async () => {
    const [nora, theo] = await Promise.all([
      environment.createUser('Nora', 'member'),
      environment.createUser('Theo', 'member'),
    ]);
    const room = await createRoom(nora, theo);
    await sendMany(nora, room, 60);
    // The first conversation is selected automatically, and opens at its first unread message.
    const { page } = await environment.openPage(theo, '/chat');
    await waitUntilInView(page, 'message 1');
    await positionBetween(theo, room, 1, 59);
    await toLatest(page).click();
    await positionBetween(theo, room, 60, 60);
    await scrollUpTo(page, 'message 1');
    for (let count = 1; count <= 8; count += 1) await sendMessage(nora, room, `late ${count}`);
    await toLatest(page).filter({ hasText: '8' }).waitFor();
    await positionBetween(theo, room, 60, 60);
    await page.evaluate(() => Object.assign(document, { hasFocus: () => false }));
    await toLatest(page).click();
    await waitUntilInView(page, 'late 8');
    await logOf(page).getByText('New messages').waitFor();
    await sendMessage(nora, room, 'behind another window');
    await waitUntilInView(page, 'behind another window');
    await positionBetween(theo, room, 60, 60);
    await page.evaluate(() => {
      Object.assign(document, { hasFocus: () => true });
      window.dispatchEvent(new Event('focus'));
    });
    await positionBetween(theo, room, 69, 69);
  });

  it('shows edits and deletions far up that happened while the connection was lost', async () => {
    environment.expectErrors(/net::ERR/, /WebSocket/);
    const [nora, theo] = await Promise.all([
      environment.createUser('Nora', 'member'),
      environment.createUser('Theo', 'member'),
    ]);
    const room = await createRoom(nora, theo);
    const sent = await sendMany(nora, room, 350);
    const line = await createFaultyProxy(environment.system.url);
    try {
      const { page } = await openSignedInPage(environment.browser, theo, { address: `${line.url}${room.path}` });
      await toLatest(page).click();
      await waitUntilInView(page, 'message 350');
      await scrollUpTo(page, 'message 50');
      line.cut();
      await page.getByText('Disconnected').first().waitFor();
      const [edited, deleted] = [sent[49]?._id, sent[50]?._id];
      await expectStatus(nora.call('PATCH', `/chat/messages/${edited}`, { content: 'better worded' }), 200);
      await expectStatus(nora.call('DELETE', `/chat/messages/${deleted}`), 204);
      line.restore();
      await logOf(page).getByText('better worded').waitFor({ timeout: 60_000 });
      await logOf(page).getByText('This message was deleted').waitFor();
      expect(await message(page, 'message 51').count()).toBe(0);
    } finally {
      await line.close();
    }
  });
});
