import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { buildMeeting, buildProject, uploadForm } from '../workspace/builders.ts';
import { type Client, createResource, expectStatus, send } from '../workspace/workspace.ts';
import type { BrowserUser } from './browser-user.ts';
import { captureScreenshot } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { delayResponse } from './mock-responses.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const field = ({ page }: BrowserUser) => page.getByRole('combobox', { name: 'Search everything' });
const option = ({ page }: BrowserUser, name: string | RegExp) => page.getByRole('option', { name });
const selected = ({ page }: BrowserUser) => page.locator('[role=option][aria-selected=true]');

/** Creates a resource of each type with the word in its texts. */
async function createEverything(word: string): Promise<Client> {
  const lena = await environment.createUser('Lena', 'project_manager');
  const { admin } = environment;
  const project = await createResource(admin, '/projects', buildProject(`Project ${word}`, lena, { teamMembers: [] }));
  const task = await createResource(admin, '/tasks', { title: 'Inspect the crane', project });
  const comment = { comment: `The bearings of ${word} were replaced` };
  await expectStatus(admin.call('POST', `/tasks/${task}/comments`, comment), 201);
  await createResource(
    lena,
    '/meetings',
    buildMeeting('Weekly review', { description: `Costs of ${word}`, participants: [admin.id] }),
  );
  const form = uploadForm(`${word}.txt`, { visibility: 'public' });
  await expectStatus(
    send(`${environment.system.url}/api/documents/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      body: form,
    }),
    201,
  );
  const { _id: conversation } = await expectStatus(
    lena.call<{ _id: string }>('POST', '/chat/conversations', {
      type: 'group',
      title: 'Harbor',
      participants: [admin.id],
    }),
    201,
  );
  await expectStatus(
    lena.call('POST', '/chat/messages', { conversation, content: `Update on **${word}** today` }),
    201,
  );
  const path = `/search?q=${word}`;
  await waitFor(
    async () => {
      const { body } = await lena.call<{ groups: { total: number }[] }>('GET', path);
      return body.groups.filter(({ total }) => total > 0).length === 5;
    },
    { description: 'everything to be found' },
  );
  return lena;
}

describe('the search dialog', () => {
  it('finds everything by keyboard, keeps the selection when results arrive, and remembers what was opened', async () => {
    const word = environment.uniqueWord();
    const user = await environment.openPage(await createEverything(word));
    const { page } = user;
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await page.keyboard.press('Control+k');
    await option(user, 'New task').waitFor();
    await delayResponse(page, /\/api\/search\?.*types=document/, async () => {
      await field(user).fill(word);
      await option(user, /Inspect the crane/).waitFor();
      // After the conversation and the project.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      expect(await selected(user).textContent()).toContain('Inspect the crane');
    });
    await option(user, /Update on/).waitFor();
    expect(await selected(user).textContent()).toContain('Inspect the crane');
    expect(await page.getByRole('listbox').getByRole('group').count()).toBe(7);
    await captureThemesAndSizes(user, 'search-dialog');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/progress\/[0-9a-f]{24}\?task=/);
    await page.getByRole('dialog', { name: /Inspect the crane/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    expect(await selected(user).textContent()).toContain('Inspect the crane');
  });

  it('puts what is opened often first, tolerates typos, and lists the results of operators alone', async () => {
    const word = environment.uniqueWord();
    const user = await environment.openPage(await createEverything(word));
    const { page } = user;
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    const open = async (query: string, name: RegExp, path: string) => {
      await page.keyboard.press('Control+k');
      await field(user).fill(query);
      await option(user, name).first().click();
      await page.waitForURL(path);
      await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    };
    const typo = `${word[0]}${word[2]}${word[1]}${word.slice(3)}`;
    await open(typo, new RegExp(`^Project ${word}`), '**/progress/*');
    await open(`Project ${word}`, new RegExp(`^Project ${word}`), '**/progress/*');
    await open('My Work', /^My Work/, '**/my-work');
    await page.keyboard.press('Control+k');
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
    expect(await recent.allTextContents()).toEqual([
      expect.stringContaining(`Project ${word}`),
      expect.stringContaining('My Work'),
    ]);
    await field(user).fill('from:me after:2020-01-01');
    for (const name of [/^Project /, /^Weekly review/, /Update on/]) await option(user, name).first().waitFor();
    expect(await option(user, /Inspect the crane/).count()).toBe(0);
  });

  it('shows one type of results, and names the types that could not be searched', async () => {
    const word = environment.uniqueWord();
    const user = await environment.openPage(await createEverything(word));
    const { page } = user;
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(user).fill(word);
    await option(user, /Weekly review/).waitFor();
    await page.getByRole('button', { name: 'Meetings', exact: true }).click();
    await option(user, /Inspect the crane/).waitFor({ state: 'detached' });
    await option(user, /Weekly review/).waitFor();
    await page.route(/\/api\/search/, (route) => route.fulfill({ json: { groups: [], missing: ['meeting'] } }));
    await field(user).fill(`${word} more`);
    await page.getByText('Meetings could not be searched.').waitFor();
  });

  it('runs actions', async () => {
    const user = await environment.openPage(await environment.createUser('Lena', 'member'));
    const { page } = user;
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(user).fill('dark');
    await option(user, 'Dark theme').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });
});

describe('the search page', () => {
  it('shows all results with facets and marked snippets, and keeps query and type in the URL', async () => {
    const word = environment.uniqueWord();
    const user = await environment.openPage(await createEverything(word));
    const { page } = user;
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await page.keyboard.press('Control+k');
    await field(user).fill(word);
    await option(user, /^See all results/).click();
    await page.waitForURL(`**/search?q=${word}`);
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
    for (const heading of ['Projects', 'Tasks', 'Meetings', 'Documents', 'Messages']) {
      const marks = page.locator('section', { has: page.getByRole('heading', { name: heading }) }).locator('mark');
      expect((await marks.first().textContent())?.toLowerCase()).toBe(word.toLowerCase());
    }
    await captureThemesAndSizes(user, 'search-page');
    await page.getByRole('button', { name: /^Tasks/ }).click();
    await page.waitForURL(`**/search?q=${word}&type=task`);
    await page.getByRole('link', { name: /Inspect the crane/ }).waitFor();
    await page.getByRole('link', { name: /Weekly review/ }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: /Inspect the crane/ }).click();
    await page.waitForURL(/\/progress\/[0-9a-f]{24}\?task=/);
    await page.goBack();
    await page.getByRole('searchbox', { name: 'Search everything' }).fill(`${word} nothing`);
    await page.getByText('Nothing found').waitFor();
  });

  it('names the types that could not be searched, and searches again', async () => {
    const word = environment.uniqueWord();
    const user = await environment.openPage(await createEverything(word));
    const { page } = user;
    let isMissing = true;
    await page.route(/\/api\/search\?/, async (route) => {
      if (!isMissing) return route.continue();
      const response = await route.fetch();
      const { groups } = (await response.json()) as { groups: { type: string }[] };
      await route.fulfill({ json: { groups: groups.filter(({ type }) => type !== 'meeting'), missing: ['meeting'] } });
    });
    await page.goto(`${user.base}/search?q=${word}`);
    await page.getByText('Meetings could not be searched.').waitFor();
    await page.getByRole('link', { name: /Inspect the crane/ }).waitFor();
    await captureThemesAndSizes(user, 'search-page-missing');
    isMissing = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('link', { name: /Weekly review/ }).waitFor();
    await page.getByText('Meetings could not be searched.').waitFor({ state: 'detached' });
  });

  it('shows texts of right-to-left scripts from the right, and prints the query with the results', async () => {
    const word = environment.uniqueWord();
    const lena = await environment.createUser('Lena', 'project_manager');
    const project = await createResource(
      environment.admin,
      '/projects',
      buildProject(`שיפוץ הגשר ${word}`, lena, { description: `תיאור של ${word} והנמל`, teamMembers: [] }),
    );
    const title = `לבדוק את העגורן של ${word}`;
    await createResource(environment.admin, '/tasks', { title, description: 'לפני החורף (דחוף!)', project });
    const query = `העגורן ${word}`;
    const user = await environment.openPage(lena, `/search?q=${encodeURIComponent(query)}`);
    const { page } = user;
    const result = page.getByRole('link', { name: /העגורן/ });
    await result.waitFor();
    const direction = (element: Element) => getComputedStyle(element).direction;
    expect(await page.getByRole('searchbox', { name: 'Search everything' }).evaluate(direction)).toBe('rtl');
    expect(await result.getByText('לבדוק את').evaluate(direction)).toBe('rtl');
    await captureThemesAndSizes(user, 'search-page-rtl');
    // The clear button is at the opposite end of the field from its icon, in both directions of the interface.
    const search = page.getByRole('main').getByRole('search');
    for (const dir of ['rtl', 'ltr']) {
      await page.evaluate((value) => document.documentElement.setAttribute('dir', value), dir);
      const [icon, clear] = await Promise.all([
        search.locator('svg').first().boundingBox(),
        search.getByRole('button', { name: 'Clear search' }).boundingBox(),
      ]);
      expect(Math.abs((icon?.x ?? 0) - (clear?.x ?? 0))).toBeGreaterThan(100);
    }
    await page.emulateMedia({ media: 'print' });
    await captureScreenshot(user, 'search-page-print');
    expect(await page.getByText(/^Results for “.*העגורן/).isVisible()).toBe(true);
    const width = (name: string) =>
      page
        .locator(name)
        .first()
        .evaluate((element) => element.clientWidth);
    expect(await width('main section')).toBeGreaterThan((await width('main')) / 2);
    expect(await page.getByRole('searchbox', { name: 'Search everything' }).isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    await page.keyboard.press('Control+k');
    await field(user).fill(query);
    await option(user, /העגורן/)
      .first()
      .waitFor();
    await captureThemesAndSizes(user, 'search-dialog-rtl');
  });

  it('finds by operators, and replaces the type of the query by the chosen one', async () => {
    const word = environment.uniqueWord();
    const lena = await createEverything(word);
    const user = await environment.openPage(lena, `/search?q=${encodeURIComponent(`type:message from:me ${word}`)}`);
    const { page } = user;
    await page.getByRole('link', { name: /Update on/ }).waitFor();
    expect(await page.locator('main ul a').count()).toBe(1);
    await page.getByRole('button', { name: /^Meetings/ }).click();
    await page.getByRole('link', { name: /Weekly review/ }).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search everything' }).inputValue()).toBe(`from:me ${word}`);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    // She manages the project, and created the meeting and the message.
    for (const name of [`Project ${word}`, 'Weekly review', 'Update on'])
      await page.getByRole('link', { name: new RegExp(name) }).waitFor();
    expect(await page.locator('main ul a').count()).toBe(3);
  });
});
