import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { type BrowserUser, pickDay, readClipboard, toast } from './browser-user.ts';
import { openSignedInPage, setUpTestEnvironment } from './test-environment.ts';

/** More messages than one page of the log loads, and than one catch-up request returns. */
const MESSAGE_COUNT = 650;

const environment = setUpTestEnvironment();

type Conversation = { id: string; title: string; path: string };
type Sent = { _id: string; seq: number };

async function createConversation(creator: Client, ...others: Client[]): Promise<Conversation> {
  const title = `room-${environment.uniqueWord().toLowerCase()}`;
  const body = { type: 'group', title, participants: others.map(({ id }) => id) };
  const { _id: id } = await expectStatus(creator.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  return { id, title, path: `/chat?c=${id}` };
}

const sendMessage = ({ call }: Client, { id }: Conversation, content: string) =>
  expectStatus(call<Sent>('POST', '/chat/messages', { conversation: id, content }), 201);

async function sendMany(client: Client, conversation: Conversation, count: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (let n = 1; n <= count; n += 1) sent.push(await sendMessage(client, conversation, `message ${n}`));
  return sent;
}

const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Messages in/ });
const message = (page: Page, words: string): Locator =>
  logOf(page)
    .getByRole('article')
    .filter({ has: page.getByText(words, { exact: true }) });
const latestButton = (page: Page): Locator => page.getByRole('button', { name: 'Jump to latest' });

/** Returns whether a message is entirely in the visible part of the log. */
const isInView = async (page: Page, words: string): Promise<boolean> => {
  const [box, frame] = await Promise.all([message(page, words).boundingBox(), logOf(page).boundingBox()]);
  return box !== null && frame !== null && box.y >= frame.y - 1 && box.y + box.height <= frame.y + frame.height + 1;
};
const waitUntilInView = (page: Page, words: string) =>
  waitFor(() => isInView(page, words), { description: `${words} to be visible` });

async function scrollUpTo(page: Page, words: string): Promise<void> {
  await waitFor(
    async () => {
      if ((await message(page, words).count()) > 0) return true;
      await logOf(page).evaluate((box) => box.scrollBy({ top: -box.clientHeight / 2 }));
      return false;
    },
    { description: `${words} to load while scrolling up`, timeoutMs: 60_000 },
  );
  await message(page, words).scrollIntoViewIfNeeded();
}

const badgeOf = ({ page }: BrowserUser): Locator =>
  page.getByRole('navigation').getByRole('link', { name: /Team Chat/ });

/** Waits until the server's read position is in a range. */
async function waitForReadPosition(reader: Client, { id }: { id: string }, first: number, last: number): Promise<void> {
  const position = async () => {
    const response = reader.call<{ lastReadSeq: number }>('GET', `/chat/conversations/${id}`);
    return (await expectStatus(response, 200)).lastReadSeq;
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
    const conversation = await createConversation(nora, theo);
    await sendMany(nora, conversation, MESSAGE_COUNT);
    const writer = await environment.openPage(nora, conversation.path);
    await writer.context.grantPermissions(['clipboard-write']);
    await waitUntilInView(writer.page, `message ${MESSAGE_COUNT}`);
    await scrollUpTo(writer.page, 'message 150');
    await message(writer.page, 'message 150').hover();
    await message(writer.page, 'message 150').getByRole('button', { name: 'Message actions' }).click();
    await writer.page.getByRole('menuitem', { name: 'Copy link' }).click();
    await toast(writer.page, 'Link copied');
    const link = await readClipboard(writer);
    expect(link).toBe(`${writer.base}${conversation.path}&m=150`);

    const { page } = await environment.openPage(theo, link.slice(writer.base.length));
    await waitUntilInView(page, 'message 150');
    expect(await message(page, 'message 150').getAttribute('aria-current')).toBe('true');
    await message(page, 'message 150').and(page.locator(':not([aria-current])')).waitFor();
    await latestButton(page).click();
    await waitUntilInView(page, `message ${MESSAGE_COUNT}`);
    await latestButton(page).waitFor({ state: 'detached' });

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
    const conversation = await createConversation(nora, theo);
    await sendMany(nora, conversation, MESSAGE_COUNT);
    await expectStatus(theo.call('POST', `/chat/conversations/${conversation.id}/read`, { seq: 100 }), 200);
    const reader = await environment.openPage(theo, '/settings');
    const { page } = reader;
    await waitFor(async () => /\d/.test((await badgeOf(reader).textContent()) ?? ''), {
      description: 'the unread badge to appear',
    });
    await page.goto(reader.base + conversation.path);
    await waitUntilInView(page, 'message 101');
    await logOf(page).getByText('New messages').waitFor();
    await waitForReadPosition(theo, conversation, 101, 150);
    await latestButton(page).filter({ hasText: /\d/ }).waitFor();
    // New messages are not appended to a loaded range that does not reach the end.
    await sendMessage(nora, conversation, 'sent in between');
    await latestButton(page).click();
    await waitUntilInView(page, 'sent in between');
    await sendMessage(nora, conversation, 'sent last');
    await waitUntilInView(page, 'sent last');
    await waitFor(async () => !/\d/.test((await badgeOf(reader).textContent()) ?? ''), {
      description: 'the unread badge to disappear',
    });
    await scrollUpTo(page, 'message 500');
    await page.getByRole('textbox', { name: /^Message/ }).fill('my own');
    await page.keyboard.press('Enter');
    await waitUntilInView(page, 'my own');
  });

  it('does not mark messages as read that arrive below the visible part or while the window has no focus', async () => {
    const [nora, theo] = await Promise.all([
      environment.createUser('Nora', 'member'),
      environment.createUser('Theo', 'member'),
    ]);
    const conversation = await createConversation(nora, theo);
    await sendMany(nora, conversation, 60);
    // The first conversation is selected automatically, and opens at its first unread message.
    const { page } = await environment.openPage(theo, '/chat');
    await waitUntilInView(page, 'message 1');
    await waitForReadPosition(theo, conversation, 1, 59);
    await latestButton(page).click();
    await waitForReadPosition(theo, conversation, 60, 60);
    await scrollUpTo(page, 'message 1');
    for (let count = 1; count <= 8; count += 1) await sendMessage(nora, conversation, `late ${count}`);
    await latestButton(page).filter({ hasText: '8' }).waitFor();
    await waitForReadPosition(theo, conversation, 60, 60);
    await page.evaluate(() => Object.assign(document, { hasFocus: () => false }));
    await latestButton(page).click();
    await waitUntilInView(page, 'late 8');
    await logOf(page).getByText('New messages').waitFor();
    await sendMessage(nora, conversation, 'behind another window');
    await waitUntilInView(page, 'behind another window');
    await waitForReadPosition(theo, conversation, 60, 60);
    await page.evaluate(() => {
      Object.assign(document, { hasFocus: () => true });
      window.dispatchEvent(new Event('focus'));
    });
    await waitForReadPosition(theo, conversation, 69, 69);
  });

  it('shows edits and deletions of old messages that happened while the connection was lost', async () => {
    environment.expectErrors(/net::ERR/, /WebSocket/);
    const [nora, theo] = await Promise.all([
      environment.createUser('Nora', 'member'),
      environment.createUser('Theo', 'member'),
    ]);
    const conversation = await createConversation(nora, theo);
    const sent = await sendMany(nora, conversation, 350);
    const proxy = await createFaultyProxy(environment.system.url);
    try {
      const { page } = await openSignedInPage(environment.browser, theo, {
        address: `${proxy.url}${conversation.path}`,
      });
      await latestButton(page).click();
      await waitUntilInView(page, 'message 350');
      await scrollUpTo(page, 'message 50');
      proxy.cut();
      await page.getByText('Disconnected').first().waitFor();
      const edited = sent[49]?._id;
      const deleted = sent[50]?._id;
      await expectStatus(nora.call('PATCH', `/chat/messages/${edited}`, { content: 'better worded' }), 200);
      await expectStatus(nora.call('DELETE', `/chat/messages/${deleted}`), 204);
      proxy.restore();
      await logOf(page).getByText('better worded').waitFor({ timeout: 60_000 });
      await logOf(page).getByText('This message was deleted').waitFor();
      expect(await message(page, 'message 51').count()).toBe(0);
    } finally {
      await proxy.close();
    }
  });
});
