import { createClient } from '@atrium/local/demo/client';
import { type System, startSystem } from '@atrium/local/system/start-system';
import { type Line, layLine } from '@atrium/test-kit/lay-line';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { PASSWORD, toast } from './person.ts';

const NETWORK = 'Network error - please check your connection';

// Each step waits for things of its own, each of which may take its time on a busy machine.
jest.setTimeout(120_000);

type Tokens = { accessToken: string; refreshToken: string };
type Made = { _id: string };

let system: System;
let browser: Browser;
let line: Line;
let tokens: Tokens;
let conversation: string;
let project: string;
let task: string;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), launchChromium()]);
  line = await layLine(system.url);
  const person = { firstName: 'Maya', lastName: 'Okafor', email: 'maya@example.org', password: PASSWORD };
  tokens = await createClient(system.url).post<Tokens>('/auth/register', person);
  const api = createClient(system.url, tokens.accessToken);
  const { _id: me } = await waitFor(() => api.get<Made>('/users/profile'), { what: 'the account' });
  const plan = { name: 'Relaunch', description: 'Anew', projectManager: me, priority: 'high', status: 'in-progress' };
  ({ _id: project } = await api.post<Made>('/projects', plan));
  ({ _id: task } = await api.post<Made>('/tasks', { title: 'Write the plan', project }));
  ({ _id: conversation } = await api.post<Made>('/chat/conversations', { type: 'group', title: 'design-review' }));
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await line?.close();
  await system?.stop();
}, 60_000);

beforeEach(async () => {
  line.mend();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
});

afterEach(() => context?.close());

/** Opens a screen as the first of a fresh browser, and waits until the app needs the network for data alone. */
async function open(path: string, shown: (page: Page) => Locator): Promise<void> {
  await context.addInitScript(keepTokens, tokens);
  page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${line.url}${path}`);
  await shown(page).waitFor();
}

function keepTokens(given: Tokens): void {
  if (localStorage.getItem('access_token')) return;
  localStorage.setItem('access_token', given.accessToken);
  localStorage.setItem('refresh_token', given.refreshToken);
}

/** Every piece of the app is there, though nothing of it was opened. */
const fetchedAhead = () =>
  page.waitForFunction(async () => {
    const list = document.querySelector<HTMLMetaElement>('meta[name="atrium-pieces"]')?.content ?? '';
    const pieces = (await (await fetch(list)).json()) as string[];
    const fetched = new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
    return pieces.length > 20 && pieces.every((piece) => fetched.has(piece));
  });

/** Marks the page, so that one which was loaded anew is told from it. */
const mark = () => page.evaluate(() => document.body.setAttribute('data-mark', 'the same page'));
const isTheSame = () => page.evaluate(() => document.body.getAttribute('data-mark') === 'the same page');

async function loseTheNetwork(): Promise<void> {
  await fetchedAhead();
  await mark();
  line.cut();
}

const heading = (name: string) => (shown: Page) => shown.getByRole('heading', { name, exact: true, level: 1 });
const dialog = (name: string) => page.getByRole('dialog', { name });
const press = (name: string | RegExp, place: Page | Locator = page) =>
  place.getByRole('button', { name }).first().click();
const composer = () => page.getByRole('textbox', { name: 'Message design-review' });

describe('with the network gone since before it', () => {
  it('a message that cannot be sent stays with its writer, and is sent once the network is back', async () => {
    await open(`/chat?c=${conversation}`, (shown) => shown.getByRole('textbox', { name: 'Message design-review' }));
    await loseTheNetwork();
    await composer().fill('Shall we begin?');
    await composer().press('Enter');
    await toast(page, NETWORK);
    expect(await composer().inputValue()).toBe('Shall we begin?');
    expect(await isTheSame()).toBe(true);
    line.mend();
    await composer().press('Enter');
    await page.getByRole('article').getByText('Shall we begin?').waitFor();
    expect(await composer().inputValue()).toBe('');
  });

  it('a comment comes back into its field, and is added later', async () => {
    await open(`/progress/${project}?task=${task}`, (shown) => shown.getByRole('textbox', { name: 'Comment' }));
    await loseTheNetwork();
    const field = page.getByRole('textbox', { name: 'Comment' });
    await field.fill('By Friday');
    await press('Add Comment');
    await toast(page, NETWORK);
    expect(await field.inputValue()).toBe('By Friday');
    expect(await isTheSame()).toBe(true);
    line.mend();
    await press('Add Comment');
    await page.getByRole('region', { name: 'Comments' }).getByRole('listitem').getByText('By Friday').waitFor();
  });

  it('a file that cannot be uploaded stays on the list, and is sent again', async () => {
    await open('/documents', heading('Document Hub'));
    await loseTheNetwork();
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan') };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await toast(page, NETWORK);
    expect(await isTheSame()).toBe(true);
    line.mend();
    await press('Retry plan.txt');
    await toast(page, 'Document uploaded successfully');
  });

  it('a piece of the app that was not fetched ahead, to save data, is waited for', async () => {
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    });
    await open(`/chat?c=${conversation}`, (shown) => shown.getByRole('textbox', { name: 'Message design-review' }));
    await mark();
    await composer().fill('Half a thought');
    line.cut();
    await press('New Channel');
    await toast(page, NETWORK);
    expect(await composer().inputValue()).toBe('Half a thought');
    line.mend();
    await dialog('Create New Channel').waitFor();
    expect(await isTheSame()).toBe(true);
  });
});

it('what was typed and not sent is there again after the page was loaded anew', async () => {
  await open(`/chat?c=${conversation}`, (shown) => shown.getByRole('textbox', { name: 'Message design-review' }));
  await composer().fill('Before the reload');
  await page.reload();
  await waitFor(async () => (await composer().inputValue()) === 'Before the reload', { what: 'the words' });
});
