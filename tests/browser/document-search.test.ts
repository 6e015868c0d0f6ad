import { expect, it } from '@jest/globals';
import { uploadForm } from '../workspace/builders.ts';
import { type Client, expectStatus, send } from '../workspace/workspace.ts';
import type { BrowserUser } from './browser-user.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

async function createTextDocument(
  owner: Client,
  fileName: string,
  content: string,
  fields: Record<string, string> = {},
) {
  const form = uploadForm(fileName, { visibility: 'public', ...fields });
  form.set('file', new Blob([content]), fileName);
  const init = { method: 'POST', headers: { authorization: `Bearer ${owner.token}` }, body: form };
  return expectStatus(send<{ _id: string }>(`${environment.system.url}/api/documents/upload`, init), 201);
}

const card = ({ page }: BrowserUser, name: string) => page.getByRole('article', { name });
const query = ({ page }: BrowserUser) => new URL(page.url()).search;

it('document search shows the highlighted passage as plain text, and keeps filters, order, and search in the URL', async () => {
  const lena = await environment.createUser('Lena', 'member');
  const word = environment.uniqueWord();
  const tag = `t${word}`;
  await createTextDocument(lena, `b ${word}.txt`, `Before <b>${word}</b> Überschrift`, { tags: tag });
  await createTextDocument(lena, `a ${word}.csv`, `number,words\n1,${word}\n`, { tags: tag });
  const user = await environment.openPage(await environment.createUser('Omar', 'member'), '/documents');
  const { page } = user;
  const search = page.getByRole('searchbox', { name: /^Search by name/ });
  await search.fill(`uberschrift ${word}`);
  const matchingCard = card(user, `b ${word}.txt`);
  await matchingCard.getByText(`Before <b>${word}</b> Überschrift`).waitFor();
  expect(await matchingCard.locator('mark').allTextContents()).toEqual([word, 'Überschrift']);
  expect(await page.getByRole('article').count()).toBe(1);

  await search.fill('');
  await matchingCard.getByRole('button', { name: `Show documents with the tag ${tag}` }).click();
  await card(user, `a ${word}.csv`).waitFor();
  expect(await page.getByRole('article').count()).toBe(2);
  await page.getByRole('button', { name: /Sort by$/ }).click();
  await page.getByRole('option', { name: 'Name, A to Z' }).click();
  await page.waitForURL(/sort=name/);
  await page.getByRole('button', { name: /Type$/ }).click();
  await page.getByRole('option', { name: 'Spreadsheets' }).click();
  await card(user, `b ${word}.txt`).waitFor({ state: 'detached' });
  expect(query(user)).toBe(`?tag=${tag}&sort=name&type=spreadsheet`);
  await page.reload();
  await card(user, `a ${word}.csv`).waitFor();
  expect(await page.getByRole('article').count()).toBe(1);
  await page.goBack();
  await card(user, `b ${word}.txt`).waitFor();
  expect(await page.getByRole('article').allTextContents()).toHaveLength(2);
});
