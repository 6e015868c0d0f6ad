import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const SIZES = [360, 1_600];

type Conversation = { _id: string; title: string };
type Sent = { _id: string };

const panel = (page: Page): Locator => page.getByRole('region', { name: 'Search messages' });
const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Search messages' });
const option = (page: Page, name: RegExp | string): Locator => page.getByRole('option', { name });
const results = (page: Page): Locator => panel(page).getByRole('list', { name: 'Results' }).getByRole('button');
const openSearch = (page: Page) => page.getByRole('button', { name: 'Search messages' }).first().click();

const send = (client: Client, { _id: conversation }: Conversation, content: string, thread?: string) =>
  expectStatus(client.call<Sent>('POST', '/chat/messages', { conversation, content, ...(thread && { thread }) }), 201);

async function createChannel(client: Client, title: string, participants: Client[]): Promise<Conversation> {
  const unique = `${title}-${environment.uniqueWord().toLowerCase()}`;
  const body = { type: 'group', title: unique, participants: participants.map(({ id }) => id) };
  return expectStatus(client.call<Conversation>('POST', '/chat/conversations', body), 201);
}

/** Waits until messages have been entered. */
const waitUntilFound = (client: Client, q: string, count: number) =>
  waitFor(
    async () => {
      const response = await client.call<{ data: unknown[] }>('GET', `/chat/search?q=${encodeURIComponent(q)}`);
      return response.body.data.length === count;
    },
    { description: `${count} results of ${q}` },
  );

async function createWorkspace() {
  const [nora, theo] = await Promise.all([
    environment.createUser('Nora', 'member'),
    environment.createUser('Theo', 'member'),
  ]);
  const design = await createChannel(nora, 'design', [theo]);
  const launch = await createChannel(nora, 'launch', [theo]);
  const root = await send(nora, design, 'The budget for the new icons is agreed');
  await send(theo, design, 'I will ask for a second quote of the icons', root._id);
  for (let index = 0; index < 40; index += 1) await send(theo, design, `Filler number ${index}`);
  await send(theo, launch, 'Launch budget: see https://example.org/budget, it covers ads and the party');
  await send(nora, launch, 'תקציב ההשקה אושר budget');
  await waitUntilFound(nora, 'budget', 3);
  return { nora, theo, design, launch };
}

describe('the search of messages', () => {
  it('is typed with suggestions, shows results with filters, and jumps to a message', async () => {
    const { nora, theo, launch } = await createWorkspace();
    const user = await environment.openPage(nora, `/chat?c=${launch._id}`);
    const { page } = user;
    await page.getByRole('heading', { level: 2, name: launch.title }).waitFor();
    await page.keyboard.press('Control+Shift+F');
    await option(page, /^from:/).waitFor();
    await captureThemesAndSizes(user, 'search-suggestions', SIZES);
    await field(page).fill('budget');
    await page.keyboard.press('Enter');
    await waitFor(async () => (await results(page).count()) === 3, { description: 'three results' });
    expect(await panel(page).locator('mark').allInnerTexts()).toContain('budget');
    await captureThemesAndSizes(user, 'search-results', SIZES);

    await field(page).fill('budget from:theo');
    await option(page, /Theo/).click();
    await waitFor(async () => (await results(page).count()) === 1, { description: 'one result' });
    expect(new URL(page.url()).searchParams.get('q')).toBe(`from:${theo.id} budget`);
    await captureThemesAndSizes(user, 'search-filters', SIZES);
    await page.reload();
    await waitFor(async () => (await results(page).count()) === 1, { description: 'the same result' });
    await page.goBack();
    await waitFor(async () => (await results(page).count()) === 3, { description: 'the results before' });
    await page.goForward();
    await panel(page)
      .getByRole('button', { name: /^Remove filter/ })
      .click();
    await waitFor(async () => (await results(page).count()) === 3, { description: 'all results' });

    await field(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const linked = page.getByRole('article').filter({ hasText: 'The budget for the new icons is agreed' });
    await linked.waitFor();
    await waitFor(() => linked.isVisible(), { description: 'the message' });
  });

  it('is limited to a conversation from its menu, and finds replies', async () => {
    const { nora, design } = await createWorkspace();
    const user = await environment.openPage(nora, `/chat?c=${design._id}`);
    const { page } = user;
    await page.getByRole('button', { name: 'Conversation options' }).click();
    await page.getByRole('menuitem', { name: 'Search in this conversation' }).click();
    await field(page).fill('quote');
    await page.keyboard.press('Enter');
    await results(page).filter({ hasText: 'second quote' }).click();
    await page.getByRole('heading', { level: 2, name: 'Thread' }).waitFor();
    await page.getByRole('article').filter({ hasText: 'I will ask for a second quote' }).first().waitFor();
  });

  it('says when nothing is found, lists recent searches, and closes', async () => {
    const { nora } = await createWorkspace();
    const user = await environment.openPage(nora, '/chat');
    const { page } = user;
    await openSearch(page);
    await field(page).fill('"no such phrase"');
    await page.keyboard.press('Enter');
    await page.getByText('No messages found').waitFor();
    await captureThemesAndSizes(user, 'search-empty', SIZES);
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    const opener = page.getByRole('button', { name: 'Search messages' }).first();
    await opener.and(page.locator(':focus')).waitFor();
    await openSearch(page);
    await option(page, /no such phrase/).waitFor();
  });

  it('updates results when a message is deleted', async () => {
    const { nora, launch } = await createWorkspace();
    const { _id } = await send(nora, launch, 'ephemeral');
    await waitUntilFound(nora, 'ephemeral', 1);
    const { page } = await environment.openPage(nora, `/chat?c=${launch._id}&q=ephemeral`);
    await waitFor(async () => (await results(page).count()) === 1, { description: 'the result' });
    await expectStatus(nora.call('DELETE', `/chat/messages/${_id}`), 204);
    await page.getByText('No messages found').waitFor();
  });
});
