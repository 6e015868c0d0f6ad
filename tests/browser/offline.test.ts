import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus, upload } from '../workspace/workspace.ts';
import { type BrowserUser, dialog, openUserPage, toast } from './browser-user.ts';
import { openSignedInPage, setUpTestEnvironment } from './test-environment.ts';

const NETWORK = 'Network error - please check your connection';

const environment = setUpTestEnvironment();
let proxy: FaultyProxy;

beforeAll(async () => {
  proxy = await createFaultyProxy(environment.system.url);
});

beforeEach(() => {
  environment.expectErrors(/net::ERR/, /WebSocket/);
  proxy.restore();
});

afterAll(() => proxy?.close());

type CreatedResource = { _id: string };

/**
 * Opens a screen through a faulty connection and waits until it is shown. From then on, the app needs the network only
 * for data.
 */
async function open(client: Client, path: string, shown: (page: Page) => Locator): Promise<BrowserUser> {
  const user = await openSignedInPage(environment.browser, client, { address: `${proxy.url}${path}` });
  await shown(user.page).waitFor();
  return user;
}

const createManager = () => environment.createUser('Jonas', 'project_manager');

async function createChannel({ call }: Client): Promise<{ title: string; path: string }> {
  const title = `review-${environment.uniqueWord().toLowerCase()}`;
  const { _id } = await expectStatus(
    call<CreatedResource>('POST', '/chat/conversations', { type: 'group', title }),
    201,
  );
  return { title, path: `/chat?c=${_id}` };
}

/** Waits until everything that the current screen may open is prefetched. */
const waitForPrefetch = ({ page }: BrowserUser) =>
  waitFor(() => page.evaluate(hasAllChunks), { description: 'the chunks of the screen to load' });

type Manifest = Record<string, { screen: string[]; onDemand: string[] }>;

/** Runs in the page. */
async function hasAllChunks(): Promise<boolean> {
  const url = document.querySelector<HTMLMetaElement>('meta[name="atrium-chunks"]')?.content ?? '';
  const manifest = (await (await fetch(url)).json()) as Manifest;
  const [, name = '', id] = location.pathname.split('/');
  const screen = manifest[name === 'progress' && id ? 'project' : name];
  const chunks = [...(screen?.screen ?? []), ...(screen?.onDemand ?? []), ...(manifest.progress?.screen ?? [])];
  const loaded = performance
    .getEntriesByType('resource')
    .filter((entry) => 'responseStatus' in entry && entry.responseStatus === 200);
  const names = new Set(loaded.map(({ name }) => new URL(name).pathname));
  return chunks.length > 20 && chunks.every((chunk) => names.has(chunk));
}

/** Marks the page, so that a reload is detected. */
const markPage = ({ page }: BrowserUser) =>
  page.evaluate(() => document.body.setAttribute('data-mark', 'the same page'));
const isSamePage = ({ page }: BrowserUser) =>
  page.evaluate(() => document.body.getAttribute('data-mark') === 'the same page');

async function goOffline(user: BrowserUser): Promise<void> {
  await waitForPrefetch(user);
  await markPage(user);
  proxy.cut();
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true, level: 1 });
const composer = (title: string) => (page: Page) => page.getByRole('textbox', { name: `Message ${title}` });
const press = (place: Page | Locator, name: string | RegExp) => place.getByRole('button', { name }).first().click();

describe('while offline', () => {
  it('a message that cannot be sent stays in its field, and can be sent once the network is back', async () => {
    const jonas = await createManager();
    const { title, path } = await createChannel(jonas);
    const user = await open(jonas, path, composer(title));
    const { page } = user;
    await goOffline(user);
    const field = composer(title)(page);
    await field.fill('Shall we begin?');
    await field.press('Enter');
    await toast(page, NETWORK);
    expect(await field.inputValue()).toBe('Shall we begin?');
    expect(await isSamePage(user)).toBe(true);
    proxy.restore();
    await field.press('Enter');
    await page.getByRole('article').getByText('Shall we begin?').waitFor();
    expect(await field.inputValue()).toBe('');
  });

  it('a comment that cannot be added stays in its field, and can be added later', async () => {
    const jonas = await createManager();
    const { project } = await environment.createProject(jonas);
    const { _id: task } = await expectStatus(
      jonas.call<CreatedResource>('POST', '/tasks', { title: 'Write the plan', project }),
      201,
    );
    const comment = (page: Page) => page.getByRole('textbox', { name: 'Comment' });
    const user = await open(jonas, `/progress/${project}?task=${task}`, comment);
    const { page } = user;
    await goOffline(user);
    await comment(page).fill('By Friday');
    await press(page, 'Add Comment');
    await toast(page, NETWORK);
    expect(await comment(page).inputValue()).toBe('By Friday');
    expect(await isSamePage(user)).toBe(true);
    proxy.restore();
    await press(page, 'Add Comment');
    await page.getByRole('region', { name: 'Comments' }).getByRole('listitem').getByText('By Friday').waitFor();
  });

  it('a file that fails to upload stays in the list, and can be uploaded again', async () => {
    const user = await open(await createManager(), '/documents', heading('Document Hub'));
    const { page } = user;
    await goOffline(user);
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan') };
    await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file);
    await toast(page, NETWORK);
    expect(await isSamePage(user)).toBe(true);
    proxy.restore();
    await press(page, 'Retry plan.txt');
    await toast(page, 'Document uploaded successfully');
  });

  it('a form opened offline keeps its input when saving fails, and can be saved later', async () => {
    const jonas = await createManager();
    const { project: id, name } = await environment.createProject(jonas);
    const user = await open(jonas, `/progress/${id}`, heading(name));
    const { page } = user;
    await goOffline(user);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(user, 'Edit Project');
    await form.getByLabel('Description').fill('New and better');
    await press(form, 'Update Project');
    await toast(page, NETWORK);
    expect(await form.getByLabel('Description').inputValue()).toBe('New and better');
    expect(await isSamePage(user)).toBe(true);
    proxy.restore();
    await press(form, 'Update Project');
    await toast(page, 'Project updated successfully');
    await form.waitFor({ state: 'detached' });
    const saved = await expectStatus(jonas.call<{ description: string }>('GET', `/projects/${id}`), 200);
    expect(saved.description).toBe('New and better');
  });

  it('a profile keeps its input when saving fails, and can be saved later', async () => {
    const jonas = await createManager();
    const user = await open(jonas, '/settings', (page) => page.getByLabel('Location'));
    const { page } = user;
    await goOffline(user);
    await page.getByLabel('Location').fill('Bremen');
    await press(page, 'Save Changes');
    await toast(page, NETWORK);
    expect(await page.getByLabel('Location').inputValue()).toBe('Bremen');
    proxy.restore();
    await press(page, 'Save Changes');
    await toast(page, 'Settings updated successfully');
    expect(await isSamePage(user)).toBe(true);
  });

  it('an item that cannot be deleted stays in the list with its confirmation, and can be deleted later', async () => {
    const jonas = await createManager();
    const name = `plan-${environment.uniqueWord().toLowerCase()}`;
    const { body } = await upload(environment.system.url, jonas, `${name}.txt`);
    const card = (page: Page) => page.getByRole('article', { name });
    const user = await open(jonas, '/documents', card);
    const { page } = user;
    await goOffline(user);
    await press(card(page), `Delete ${name}`);
    const confirmation = page.getByRole('alertdialog', { name: 'Delete document' });
    await press(confirmation, 'Delete Document');
    await toast(page, NETWORK);
    await card(page).waitFor();
    expect(await isSamePage(user)).toBe(true);
    proxy.restore();
    await press(confirmation, 'Delete Document');
    await toast(page, 'Document deleted successfully');
    await card(page).waitFor({ state: 'detached' });
    expect((await jonas.call('GET', `/documents/${body._id}`)).status).toBe(404);
  });

  it('a project that cannot be deleted keeps the input of its form', async () => {
    const jonas = await createManager();
    const { project: id, name } = await environment.createProject(jonas);
    const user = await open(jonas, `/progress/${id}`, heading(name));
    const { page } = user;
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(user, 'Edit Project');
    await form.getByLabel('Description').fill('New and better');
    await goOffline(user);
    await press(form, 'Delete Project');
    const confirmation = page.getByRole('alertdialog', { name: 'Delete project' });
    await press(confirmation, 'Delete Project');
    await toast(page, NETWORK);
    await press(confirmation, 'Cancel');
    await confirmation.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Description').inputValue()).toBe('New and better');
    proxy.restore();
    await press(form, 'Update Project');
    await toast(page, 'Project updated successfully');
  });

  it('a dialog whose chunk was not prefetched, to save data, opens once the network is back', async () => {
    const jonas = await createManager();
    const { title, path } = await createChannel(jonas);
    const { name, email, token, refreshToken } = jonas;
    const tokens = { accessToken: token, refreshToken };
    const user = await openUserPage(environment.browser, { name, email, base: proxy.url, tokens, savesData: true });
    const { page } = user;
    await page.goto(`${proxy.url}${path}`);
    const field = composer(title)(page);
    await field.waitFor();
    await markPage(user);
    await field.fill('Half a thought');
    proxy.cut();
    await press(page, 'New Channel');
    await toast(page, NETWORK);
    expect(await field.inputValue()).toBe('Half a thought');
    proxy.restore();
    await dialog(user, 'Create New Channel').waitFor();
    expect(await isSamePage(user)).toBe(true);
  });
});

it('unsent input is restored after a reload', async () => {
  const jonas = await createManager();
  const { title, path } = await createChannel(jonas);
  const { page } = await open(jonas, path, composer(title));
  await composer(title)(page).fill('Before the reload');
  await page.reload();
  await waitFor(async () => (await composer(title)(page).inputValue()) === 'Before the reload', {
    description: 'the text to be restored',
  });
});
