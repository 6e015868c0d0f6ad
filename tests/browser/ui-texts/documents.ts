import { beforeEach, describe, it } from '@jest/globals';
import { type Client, expectStatus, upload } from '../../workspace/workspace.ts';
import { pickUser } from '../browser-user.ts';
import { failWithoutMessage } from '../mock-responses.ts';
import type { TestEnvironment } from '../test-environment.ts';
import { button, expectTexts } from './expect-texts.ts';

/** Registers tests for every UI text that the specification requires for Document Hub. */
export function describeDocumentUiTexts(environment: TestEnvironment): void {
  describe('Document Hub UI texts', () => {
    // These tests provoke responses without a message.
    beforeEach(() => environment.expectErrors(/status of 500/));

    async function createDocument(): Promise<{ lena: Client; name: string }> {
      const lena = await environment.createUser('Lena', 'member');
      const name = `Notes ${environment.uniqueWord()}.txt`;
      await expectStatus(upload(environment.system.url, lena, name), 201);
      return { lena, name };
    }

    it('show the default error of each action when the response has no message', async () => {
      const { lena, name } = await createDocument();
      const user = await environment.openPage(lena, '/documents');
      const { page } = user;
      const card = page.getByRole('article').filter({ hasText: name }).first();
      await expectTexts(page, `${lena.name} (You)`);
      await button(card, /^Edit /).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Description').fill('Changed');
      await failWithoutMessage(page, 'PATCH', /\/api\/documents\//, async () => {
        await button(form, /^(Save|Update)/).click();
        await expectTexts(page, 'Failed to update document');
      });
      await button(form, /^(Save|Update)/).click();
      await form.waitFor({ state: 'detached' });
      await button(card, /^Share /).click();
      await pickUser(form, 'Maya');
      await failWithoutMessage(page, 'POST', /\/api\/documents\/[0-9a-f]+\/share$/, async () => {
        await button(form, /^Share/).click();
        await expectTexts(page, 'Failed to share document');
      });
      await button(form, /^Share/).click();
      await form.waitFor({ state: 'detached' });
      await failWithoutMessage(page, 'GET', /\/api\/documents\/[0-9a-f]+/, async () => {
        await button(card, /^Download /).click();
        await expectTexts(page, 'Failed to download document');
      });
      await button(card, /^Delete /).click();
      const confirmation = page.getByRole('alertdialog');
      await failWithoutMessage(page, 'DELETE', /\/api\/documents\//, async () => {
        await button(confirmation, /Delete/).click();
        await expectTexts(page, 'Failed to delete document');
      });
      await failWithoutMessage(page, 'GET', /\/api\/documents\?/, async () => {
        await page.reload();
        await expectTexts(page, 'Failed to load documents');
      });
    });

    it('explain why a file cannot be downloaded', async () => {
      const { lena, name } = await createDocument();
      const { page } = await environment.openPage(lena, '/documents');
      const card = page.getByRole('article').filter({ hasText: name }).first();
      await page.route(/\/api\/documents\/[0-9a-f]{24}$/, async (route) => {
        const response = await route.fetch();
        const { downloadUrl: _link, ...document } = (await response.json()) as { downloadUrl?: string };
        await route.fulfill({ response, json: document });
      });
      await button(card, /^Download /).click();
      await expectTexts(
        page,
        'Download URL not available',
        'Download URL not available. File storage may not be configured.',
      );
      await page.unroute(/\/api\/documents\/[0-9a-f]{24}$/);
      await page.route(/X-Amz-Signature/i, (route) => route.fulfill({ status: 500, body: '' }));
      await button(card, /^Download /).click();
      await expectTexts(page, 'Failed to download file from storage');
    });

    it('report a failed upload', async () => {
      const { page } = await environment.openPage(await environment.createUser('Lena', 'member'), '/documents');
      const file = { name: 'lost.txt', mimeType: 'text/plain', buffer: Buffer.from('lost') };
      await failWithoutMessage(page, 'POST', /\/api\/documents\/upload$/, async () => {
        await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file);
        await expectTexts(page, 'Failed to upload files');
      });
    });
  });
}
