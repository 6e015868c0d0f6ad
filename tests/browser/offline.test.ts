import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, demand, upload } from '../flows/workspace.ts';
import { dialog, openUserPage, type Person, toast } from './person.ts';
import { setUpTestEnvironment, sitDownAs } from './test-environment.ts';

const NETWORK = 'Network error - please check your connection';

// Each step waits for things of its own, each of which may take its time on a busy machine.
jest.setTimeout(240_000);

const stage = setUpTestEnvironment();
let line: FaultyProxy;

beforeAll(async () => {
  line = await createFaultyProxy(stage.system.url);
});

beforeEach(() => {
  stage.expectFaults(/net::ERR/, /WebSocket/);
  line.mend();
});

afterAll(() => line?.close());

type Made = { _id: string };

/** At the end of the line, on a screen of which so much is there; from now on the app needs the network for data alone. */
async function open(client: Client, path: string, shown: (page: Page) => Locator): Promise<Person> {
  const person = await sitDownAs(stage.browser, client, { address: `${line.url}${path}` });
  await shown(person.page).waitFor();
  return person;
}

const aManager = () => stage.someone('Jonas', 'project_manager');

async function aChannel({ call }: Client): Promise<{ title: string; path: string }> {
  const title = `review-${stage.word().toLowerCase()}`;
  const { _id } = await demand(call<Made>('POST', '/chat/conversations', { type: 'group', title }), 201);
  return { title, path: `/chat?c=${_id}` };
}

async function buildProject(manager: Client): Promise<{ id: string; name: string }> {
  const name = `Relaunch ${stage.word()}`;
  const plan = { name, description: 'Anew', projectManager: manager.id, priority: 'high', status: 'in-progress' };
  const { _id: id } = await demand(stage.admin.call<Made>('POST', '/projects', plan), 201);
  return { id, name };
}

/** Every piece of the app is there, though nothing of it was opened. */
const fetchedAhead = ({ page }: Person) =>
  waitFor(() => page.evaluate(hasAllPieces), { what: 'every piece of the app' });

/** Runs in the page. */
async function hasAllPieces(): Promise<boolean> {
  const list = document.querySelector<HTMLMetaElement>('meta[name="atrium-pieces"]')?.content ?? '';
  const pieces = (await (await fetch(list)).json()) as string[];
  const loaded = performance
    .getEntriesByType('resource')
    .filter((entry) => 'responseStatus' in entry && entry.responseStatus === 200);
  const names = new Set(loaded.map(({ name }) => new URL(name).pathname));
  return pieces.length > 20 && pieces.every((piece) => names.has(piece));
}

/** Marks the page, so that one which was loaded anew is told from it. */
const mark = ({ page }: Person) => page.evaluate(() => document.body.setAttribute('data-mark', 'the same page'));
const isTheSame = ({ page }: Person) =>
  page.evaluate(() => document.body.getAttribute('data-mark') === 'the same page');

async function loseTheNetwork(person: Person): Promise<void> {
  await fetchedAhead(person);
  await mark(person);
  line.cut();
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true, level: 1 });
const composer = (title: string) => (page: Page) => page.getByRole('textbox', { name: `Message ${title}` });
const press = (place: Page | Locator, name: string | RegExp) => place.getByRole('button', { name }).first().click();

describe('with the network gone since before it', () => {
  it('a message that cannot be sent stays with its writer, and is sent once the network is back', async () => {
    const jonas = await aManager();
    const { title, path } = await aChannel(jonas);
    const person = await open(jonas, path, composer(title));
    const { page } = person;
    await loseTheNetwork(person);
    const field = composer(title)(page);
    await field.fill('Shall we begin?');
    await field.press('Enter');
    await toast(page, NETWORK);
    expect(await field.inputValue()).toBe('Shall we begin?');
    expect(await isTheSame(person)).toBe(true);
    line.mend();
    await field.press('Enter');
    await page.getByRole('article').getByText('Shall we begin?').waitFor();
    expect(await field.inputValue()).toBe('');
  });

  it('a comment comes back into its field, and is added later', async () => {
    const jonas = await aManager();
    const { id: project } = await buildProject(jonas);
    const { _id: task } = await demand(jonas.call<Made>('POST', '/tasks', { title: 'Write the plan', project }), 201);
    const comment = (page: Page) => page.getByRole('textbox', { name: 'Comment' });
    const person = await open(jonas, `/progress/${project}?task=${task}`, comment);
    const { page } = person;
    await loseTheNetwork(person);
    await comment(page).fill('By Friday');
    await press(page, 'Add Comment');
    await toast(page, NETWORK);
    expect(await comment(page).inputValue()).toBe('By Friday');
    expect(await isTheSame(person)).toBe(true);
    line.mend();
    await press(page, 'Add Comment');
    await page.getByRole('region', { name: 'Comments' }).getByRole('listitem').getByText('By Friday').waitFor();
  });

  it('a file that cannot be uploaded stays on the list, and is sent again', async () => {
    const person = await open(await aManager(), '/documents', heading('Document Hub'));
    const { page } = person;
    await loseTheNetwork(person);
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan') };
    await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file);
    await toast(page, NETWORK);
    expect(await isTheSame(person)).toBe(true);
    line.mend();
    await press(page, 'Retry plan.txt');
    await toast(page, 'Document uploaded successfully');
  });

  it('a form that was opened then and cannot be saved keeps what was typed, and is saved later', async () => {
    const jonas = await aManager();
    const { id, name } = await buildProject(jonas);
    const person = await open(jonas, `/progress/${id}`, heading(name));
    const { page } = person;
    await loseTheNetwork(person);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(person, 'Edit Project');
    await form.getByLabel('Description').fill('Anew, and better');
    await press(form, 'Update Project');
    await toast(page, NETWORK);
    expect(await form.getByLabel('Description').inputValue()).toBe('Anew, and better');
    expect(await isTheSame(person)).toBe(true);
    line.mend();
    await press(form, 'Update Project');
    await toast(page, 'Project updated successfully');
    await form.waitFor({ state: 'detached' });
    const saved = await demand(jonas.call<{ description: string }>('GET', `/projects/${id}`), 200);
    expect(saved.description).toBe('Anew, and better');
  });

  it('a profile that cannot be saved keeps what was typed, and is saved later', async () => {
    const jonas = await aManager();
    const person = await open(jonas, '/settings', (page) => page.getByLabel('Location'));
    const { page } = person;
    await loseTheNetwork(person);
    await page.getByLabel('Location').fill('Bremen');
    await press(page, 'Save Changes');
    await toast(page, NETWORK);
    expect(await page.getByLabel('Location').inputValue()).toBe('Bremen');
    line.mend();
    await press(page, 'Save Changes');
    await toast(page, 'Settings updated successfully');
    expect(await isTheSame(person)).toBe(true);
  });

  it('what cannot be deleted is still there, is asked about until then, and is deleted later', async () => {
    const jonas = await aManager();
    const name = `plan-${stage.word().toLowerCase()}`;
    const { body } = await upload(stage.system.url, jonas, `${name}.txt`);
    const card = (page: Page) => page.getByRole('article', { name });
    const person = await open(jonas, '/documents', card);
    const { page } = person;
    await loseTheNetwork(person);
    await press(card(page), `Delete ${name}`);
    const question = page.getByRole('alertdialog', { name: 'Delete document' });
    await press(question, 'Delete Document');
    await toast(page, NETWORK);
    await card(page).waitFor();
    expect(await isTheSame(person)).toBe(true);
    line.mend();
    await press(question, 'Delete Document');
    await toast(page, 'Document deleted successfully');
    await card(page).waitFor({ state: 'detached' });
    expect((await jonas.call('GET', `/documents/${body._id}`)).status).toBe(404);
  });

  it('a project that cannot be deleted leaves what was typed into its form', async () => {
    const jonas = await aManager();
    const { id, name } = await buildProject(jonas);
    const person = await open(jonas, `/progress/${id}`, heading(name));
    const { page } = person;
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(person, 'Edit Project');
    await form.getByLabel('Description').fill('Anew, and better');
    await loseTheNetwork(person);
    await press(form, 'Delete Project');
    const question = page.getByRole('alertdialog', { name: 'Delete project' });
    await press(question, 'Delete Project');
    await toast(page, NETWORK);
    await press(question, 'Cancel');
    await question.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Description').inputValue()).toBe('Anew, and better');
    line.mend();
    await press(form, 'Update Project');
    await toast(page, 'Project updated successfully');
  });

  it('a piece of the app that was not fetched ahead, to save data, is waited for', async () => {
    const jonas = await aManager();
    const { title, path } = await aChannel(jonas);
    const { name, email, token, refreshToken } = jonas;
    const tokens = { accessToken: token, refreshToken };
    const person = await openUserPage(stage.browser, { name, email, base: line.url, tokens, savesData: true });
    const { page } = person;
    await page.goto(`${line.url}${path}`);
    const field = composer(title)(page);
    await field.waitFor();
    await mark(person);
    await field.fill('Half a thought');
    line.cut();
    await press(page, 'New Channel');
    await toast(page, NETWORK);
    expect(await field.inputValue()).toBe('Half a thought');
    line.mend();
    await dialog(person, 'Create New Channel').waitFor();
    expect(await isTheSame(person)).toBe(true);
  });
});

it('what was typed and not sent is there again after the page was loaded anew', async () => {
  const jonas = await aManager();
  const { title, path } = await aChannel(jonas);
  const { page } = await open(jonas, path, composer(title));
  await composer(title)(page).fill('Before the reload');
  await page.reload();
  await waitFor(async () => (await composer(title)(page).inputValue()) === 'Before the reload', { what: 'the words' });
});
