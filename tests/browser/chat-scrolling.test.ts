import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { setUpTestEnvironment } from './test-environment.ts';

/** Four pages of the log. */
const MESSAGE_COUNT = 400;
/** More than fit on two screens of the shortest messages. */
const MAX_MOUNTED = 90;

const environment = setUpTestEnvironment();

type Conversation = { id: string; path: string };

async function createConversation(creator: Client, other: Client, messages: number): Promise<Conversation> {
  const title = `scroll-${environment.uniqueWord().toLowerCase()}`;
  const body = { type: 'group', title, participants: [other.id] };
  const { _id: id } = await expectStatus(creator.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  for (let n = 1; n <= messages; n += 1) await send(creator, id, n % 5 === 0 ? `**message** ${n}` : `message ${n}`);
  return { id, path: `/chat?c=${id}` };
}

const send = ({ call }: Client, conversation: string, content: string) =>
  expectStatus(call<{ seq: number }>('POST', '/chat/messages', { conversation, content }), 201);

const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Messages in/ });
const messageAt = (page: Page, seq: number): Locator => logOf(page).locator(`article[data-seq="${seq}"]`);
const latestButton = (page: Page): Locator => page.getByRole('button', { name: 'Jump to latest' });

/** Returns the messages that are at least partly visible, with their positions. */
const readVisible = (page: Page) =>
  logOf(page).evaluate((log) => {
    const frame = log.getBoundingClientRect();
    return [...log.querySelectorAll('article[data-seq]')].flatMap((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      const isVisible = bottom > frame.top + 1 && top < frame.bottom - 1;
      return isVisible ? [{ seq: Number(row.getAttribute('data-seq')), top }] : [];
    });
  });

const waitUntilVisible = (page: Page, seq: number) =>
  waitFor(async () => (await readVisible(page)).some((row) => row.seq === seq), {
    description: `message ${seq} to be visible`,
  });

/** Scrolls up by half a screen, and waits until the log has been rendered. */
async function scrollUp(page: Page): Promise<void> {
  await logOf(page).evaluate(async (log) => {
    log.scrollBy({ top: -log.clientHeight / 2 });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

async function scrollUpTo(page: Page, seq: number): Promise<void> {
  await waitFor(
    async () => {
      if ((await readVisible(page)).some((row) => row.seq <= seq)) return true;
      await scrollUp(page);
      return false;
    },
    { description: `message ${seq} while scrolling up`, intervalMs: 20 },
  );
}

/** Records which pages before and after a message the page loads; it also asks what has changed. */
function recordQueries(page: Page): string[] {
  const queries: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname !== '/api/chat/messages') return;
    for (const name of ['before', 'after'])
      if (searchParams.has(name)) queries.push(`${name} ${searchParams.get(name)}`);
  });
  return queries;
}

const createPair = () =>
  Promise.all([environment.createUser('Nora', 'member'), environment.createUser('Theo', 'member')]);

describe('scrolling through a conversation', () => {
  it('loads each page once, before its end is seen, and mounts only what is near', async () => {
    const [nora, theo] = await createPair();
    const conversation = await createConversation(nora, theo, MESSAGE_COUNT);
    const { page } = await environment.openPage(nora, conversation.path);
    await waitUntilVisible(page, MESSAGE_COUNT);
    const queries = recordQueries(page);
    // The next page is requested long before the first loaded message is visible.
    await waitFor(
      async () => {
        if (queries.length > 0) return true;
        await scrollUp(page);
        return false;
      },
      { description: 'the page before to be requested', intervalMs: 20 },
    );
    expect(Math.min(...(await readVisible(page)).map(({ seq }) => seq))).toBeGreaterThan(MESSAGE_COUNT - 90);
    await waitFor(
      async () => {
        expect(await logOf(page).getByRole('article').count()).toBeLessThan(MAX_MOUNTED);
        if ((await readVisible(page)).some((row) => row.seq === 1)) return true;
        await scrollUp(page);
        return false;
      },
      { description: 'the first message', intervalMs: 20 },
    );
    expect(queries).toEqual(['before 301', 'before 201', 'before 101']);
    await latestButton(page).click();
    await waitUntilVisible(page, MESSAGE_COUNT);
    expect(queries).toHaveLength(3);
  });

  it('keeps what is visible in place when older messages are loaded and new ones arrive', async () => {
    const [nora, theo] = await createPair();
    const conversation = await createConversation(nora, theo, 220);
    const { page } = await environment.openPage(nora, conversation.path);
    await waitUntilVisible(page, 220);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/api\/chat\/messages\?.*before=/, async (route) => {
      await released;
      await route.continue();
    });
    // The first loaded message, 121, is shown together with the one before it.
    await scrollUpTo(page, 122);
    await page.getByText('Loading messages').waitFor({ state: 'attached' });
    const [before] = (await readVisible(page)).slice(-1);
    const height = await logOf(page).evaluate((log) => log.scrollHeight);
    release();
    await waitFor(async () => (await logOf(page).evaluate((log) => log.scrollHeight)) > height + 500, {
      description: 'older messages to be loaded',
    });
    const find = async (seq: number | undefined) => (await readVisible(page)).find((row) => row.seq === seq);
    expect(await find(before?.seq)).toEqual({ seq: before?.seq, top: expect.closeTo(before?.top ?? 0, 0) });
    for (let n = 1; n <= 3; n += 1) await send(theo, conversation.id, `late ${n}`);
    await latestButton(page).filter({ hasText: '3' }).waitFor();
    expect(await find(before?.seq)).toEqual({ seq: before?.seq, top: expect.closeTo(before?.top ?? 0, 0) });
  });
});

describe('going back after a jump', () => {
  it('returns to where the user was, in the same conversation and in another one', async () => {
    const [nora, theo] = await createPair();
    const linked = await createConversation(nora, theo, 130);
    const conversation = await createConversation(nora, theo, 220);
    const { page, base } = await environment.openPage(nora, conversation.path);
    await send(nora, conversation.id, `see ${base}${linked.path}&m=20`);
    await waitUntilVisible(page, 221);
    await page.getByRole('button', { name: 'Jump to date' }).click();
    await page.getByRole('dialog', { name: 'Jump to date' }).getByRole('spinbutton').first().focus();
    // Nothing was sent on that day, so the next message is shown.
    await page.keyboard.type('01022020');
    await page.keyboard.press('Enter');
    await waitUntilVisible(page, 1);
    await page.goBack();
    await waitUntilVisible(page, 221);
    await latestButton(page).waitFor({ state: 'detached' });

    await scrollUpTo(page, 150);
    const [first] = await readVisible(page);
    await page.goForward();
    await waitUntilVisible(page, 1);
    await page.goBack();
    await waitUntilVisible(page, first?.seq ?? 0);
    expect(await messageAt(page, first?.seq ?? 0).getAttribute('aria-current')).toBeNull();

    await latestButton(page).click();
    // The card below the text opens the message here.
    await messageAt(page, 221).locator('a:not([target])').click();
    await waitUntilVisible(page, 20);
    await page.goBack();
    await waitUntilVisible(page, 221);
  });
});
