import { beforeEach, describe, it } from '@jest/globals';
import { type Client, demand, upload } from '../../flows/workspace.ts';
import { wordless } from '../mock-responses.ts';
import { pickPerson } from '../person.ts';
import type { Stage } from '../test-environment.ts';
import { button, see } from './see.ts';

/** Brings up the texts of the Document Hub. */
export function describeDocumentTexts(stage: Stage): void {
  describe('the texts of documents', () => {
    // Calls that stay without a word are what these tests provoke.
    beforeEach(() => stage.expectFaults(/status of 500/));

    async function aDocument(): Promise<{ lena: Client; name: string }> {
      const lena = await stage.someone('Lena', 'member');
      const name = `Notes ${stage.word()}.txt`;
      await demand(upload(stage.system.url, lena, name), 201);
      return { lena, name };
    }

    it('are the default of each action, where the server says nothing', async () => {
      const { lena, name } = await aDocument();
      const person = await stage.sit(lena, '/documents');
      const { page } = person;
      const card = page.getByRole('article').filter({ hasText: name }).first();
      await see(page, `${lena.name} (You)`);
      await button(card, /^Edit /).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Description').fill('Changed');
      await wordless(page, 'PATCH', /\/api\/documents\//, async () => {
        await button(form, /^(Save|Update)/).click();
        await see(page, 'Failed to update document');
      });
      await button(form, /^(Save|Update)/).click();
      await form.waitFor({ state: 'detached' });
      await button(card, /^Share /).click();
      await pickPerson(form, 'Maya');
      await wordless(page, 'POST', /\/api\/documents\/[0-9a-f]+\/share$/, async () => {
        await button(form, /^Share/).click();
        await see(page, 'Failed to share document');
      });
      await button(form, /^Share/).click();
      await form.waitFor({ state: 'detached' });
      await wordless(page, 'GET', /\/api\/documents\/[0-9a-f]+/, async () => {
        await button(card, /^Download /).click();
        await see(page, 'Failed to download document');
      });
      await button(card, /^Delete /).click();
      const question = page.getByRole('alertdialog');
      await wordless(page, 'DELETE', /\/api\/documents\//, async () => {
        await button(question, /Delete/).click();
        await see(page, 'Failed to delete document');
      });
      await wordless(page, 'GET', /\/api\/documents\?/, async () => {
        await page.reload();
        await see(page, 'Failed to load documents');
      });
    });

    it('say why a file cannot be had', async () => {
      const { lena, name } = await aDocument();
      const { page } = await stage.sit(lena, '/documents');
      const card = page.getByRole('article').filter({ hasText: name }).first();
      await page.route(/\/api\/documents\/[0-9a-f]{24}$/, async (route) => {
        const answer = await route.fetch();
        const { downloadUrl: _link, ...document } = (await answer.json()) as { downloadUrl?: string };
        await route.fulfill({ response: answer, json: document });
      });
      await button(card, /^Download /).click();
      await see(page, 'Download URL not available', 'Download URL not available. File storage may not be configured.');
      await page.unroute(/\/api\/documents\/[0-9a-f]{24}$/);
      await page.route(/X-Amz-Signature/i, (route) => route.fulfill({ status: 500, body: '' }));
      await button(card, /^Download /).click();
      await see(page, 'Failed to download file from storage');
    });

    it('say when files cannot be sent', async () => {
      const { page } = await stage.sit(await stage.someone('Lena', 'member'), '/documents');
      const file = { name: 'lost.txt', mimeType: 'text/plain', buffer: Buffer.from('lost') };
      await wordless(page, 'POST', /\/api\/documents\/upload$/, async () => {
        await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file);
        await see(page, 'Failed to upload files');
      });
    });
  });
}
