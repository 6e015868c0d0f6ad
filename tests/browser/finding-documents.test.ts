import { expect, it, jest } from '@jest/globals';
import { type Client, demand, send, uploadForm } from '../flows/workspace.ts';
import type { Person } from './person.ts';
import { setUpTestEnvironment } from './test-environment.ts';

jest.setTimeout(240_000);

const stage = setUpTestEnvironment();

async function aText(owner: Client, fileName: string, content: string, fields: Record<string, string> = {}) {
  const form = uploadForm(fileName, { visibility: 'public', ...fields });
  form.set('file', new Blob([content]), fileName);
  const init = { method: 'POST', headers: { authorization: `Bearer ${owner.token}` }, body: form };
  return demand(send<{ _id: string }>(`${stage.system.url}/api/documents/upload`, init), 201);
}

const card = ({ page }: Person, name: string) => page.getByRole('article', { name });
const query = ({ page }: Person) => new URL(page.url()).search;

it('shows the place in the text, marked and as text, and keeps filters, order and search in the address', async () => {
  const lena = await stage.someone('Lena', 'member');
  const word = stage.word();
  const tag = `t${word}`;
  await aText(lena, `b ${word}.txt`, `Before <b>${word}</b> Überschrift`, { tags: tag });
  await aText(lena, `a ${word}.csv`, `number,words\n1,${word}\n`, { tags: tag });
  const person = await stage.sit(await stage.someone('Omar', 'member'), '/documents');
  const { page } = person;
  const search = page.getByRole('searchbox', { name: /^Search by name/ });
  await search.fill(`uberschrift ${word}`);
  const found = card(person, `b ${word}.txt`);
  await found.getByText(`Before <b>${word}</b> Überschrift`).waitFor();
  expect(await found.locator('mark').allTextContents()).toEqual([word, 'Überschrift']);
  expect(await page.getByRole('article').count()).toBe(1);

  await search.fill('');
  await found.getByRole('button', { name: `Show documents with the tag ${tag}` }).click();
  await card(person, `a ${word}.csv`).waitFor();
  expect(await page.getByRole('article').count()).toBe(2);
  await page.getByRole('button', { name: /Order$/ }).click();
  await page.getByRole('option', { name: 'Name, A to Z' }).click();
  await page.waitForURL(/sort=name/);
  await page.getByRole('button', { name: /Type$/ }).click();
  await page.getByRole('option', { name: 'Spreadsheets' }).click();
  await card(person, `b ${word}.txt`).waitFor({ state: 'detached' });
  expect(query(person)).toBe(`?tag=${tag}&sort=name&type=spreadsheet`);
  await page.reload();
  await card(person, `a ${word}.csv`).waitFor();
  expect(await page.getByRole('article').count()).toBe(1);
  await page.goBack();
  await card(person, `b ${word}.txt`).waitFor();
  expect(await page.getByRole('article').allTextContents()).toHaveLength(2);
});
