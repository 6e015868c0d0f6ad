import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, expectStatus } from '../../workspace/workspace.ts';
import { type BrowserUser, dialog, pickUser, toast } from '../browser-user.ts';
import { failWithoutMessage } from '../mock-responses.ts';
import type { TestEnvironment } from '../test-environment.ts';
import { button, expectTexts } from './expect-texts.ts';

/** Registers tests for every UI text that the specification requires for Team Chat. */
export function describeChatUiTexts(environment: TestEnvironment): void {
  describe('Team Chat UI texts', () => {
    // These tests provoke responses without a message.
    beforeEach(() => environment.expectErrors(/status of 500/));

    type Conversation = { id: string; title: string };

    async function createConversation(creator: Client): Promise<Conversation> {
      const title = `room-${environment.uniqueWord().toLowerCase()}`;
      const body = { type: 'group', title, participants: [] };
      const { _id: id } = await expectStatus(creator.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
      return { id, title };
    }

    async function openConversation(client: Client, { title }: Conversation): Promise<BrowserUser> {
      const user = await environment.openPage(client, '/chat');
      await user.page
        .getByRole('link', { name: new RegExp(title) })
        .first()
        .click();
      await user.page.getByRole('textbox', { name: /^Message/ }).waitFor();
      return user;
    }

    it('welcome a user without an open conversation, and name missing fields of a channel', async () => {
      const user = await environment.openPage(await environment.createUser('Lena', 'member'), '/settings');
      const { page } = user;
      let isDisconnected = true;
      await page.routeWebSocket(
        /\/socket\.io\//,
        (socket) => void (isDisconnected ? socket.close() : socket.connectToServer()),
      );
      await page.goto(`${user.base}/chat`);
      await expectTexts(page, 'Welcome to Team Chat', 'Disconnected');
      isDisconnected = false;
      await expectTexts(page, 'Connected');
      await button(page, 'New Channel').click();
      const form = dialog(user, 'Create New Channel');
      await button(form, 'Create Channel').click();
      await expectTexts(page, 'Channel name is required');
      await form.getByLabel('Channel name').fill('Not This!');
      await button(form, 'Create Channel').click();
      await expectTexts(page, 'Channel name can only contain lowercase letters, numbers, and hyphens');
      await form.getByLabel('Channel name').fill(`room-${environment.uniqueWord().toLowerCase()}`);
      await failWithoutMessage(page, 'POST', /\/api\/chat\/conversations$/, async () => {
        await button(form, 'Create Channel').click();
        await expectTexts(page, 'Failed to create channel');
      });
      await button(form, 'Create Channel').click();
      await expectTexts(page, 'No messages yet', 'Start the conversation!');
    });

    it('show the default error of each conversation action when the response has no message', async () => {
      // Only administrators can delete a conversation.
      const conversation = await createConversation(environment.admin);
      const guest = await environment.createUser('Omar', 'member');
      const user = await openConversation(environment.admin, conversation);
      const { page } = user;
      const input = page.getByRole('textbox', { name: /^Message/ });
      await failWithoutMessage(page, 'POST', /\/api\/chat\/messages$/, async () => {
        await input.fill('Lost?');
        await input.press('Enter');
        await expectTexts(page, 'Failed to send message');
      });
      await expect(input.inputValue()).resolves.toBe('Lost?');
      await button(page, 'Info').click();
      const info = page.getByRole('dialog');
      await info.getByLabel('Conversation name').fill(' ');
      await expectTexts(page, 'Conversation name cannot be empty');
      await info.getByLabel('Conversation name').fill(`${conversation.title}-new`);
      await failWithoutMessage(page, 'PATCH', /\/api\/chat\/conversations\//, async () => {
        await button(info, 'Rename').click();
        await expectTexts(page, 'Failed to update conversation name');
      });
      await button(info, 'Rename').click();
      await toast(page, 'Conversation name updated successfully');
      await button(info, 'Add members').click();
      await pickUser(info, guest.name);
      await failWithoutMessage(page, 'POST', /\/api\/chat\/conversations\/[0-9a-f]+\/participants$/, async () => {
        await button(info, 'Add').click();
        await expectTexts(page, 'Failed to add participant');
      });
      await button(info, 'Add').click();
      await toast(page, `${guest.name} added to the conversation`);
      await failWithoutMessage(page, 'DELETE', /\/api\/chat\/conversations\/[0-9a-f]+\/participants/, async () => {
        await button(info, `Remove ${guest.name}`).click();
        await expectTexts(page, 'Failed to remove participant');
      });
      await button(info, `Remove ${guest.name}`).click();
      await toast(page, `${guest.name} removed from the conversation`);
      await page.keyboard.press('Escape');
      await info.waitFor({ state: 'detached' });
      await button(page, 'Delete').click();
      const confirmation = page.getByRole('alertdialog');
      await confirmation.getByText('Delete this conversation and all messages? This cannot be undone.').waitFor();
      await failWithoutMessage(page, 'DELETE', /\/api\/chat\/conversations\//, async () => {
        await button(confirmation, 'Delete').click();
        await expectTexts(page, 'Delete failed', 'Could not delete conversation');
      });
    });

    it('explain who cannot manage a conversation and who cannot be messaged', async () => {
      const lena = await environment.createUser('Lena', 'member');
      const omar = await environment.createUser('Omar', 'member');
      const conversation = await createConversation(lena);
      const participantsPath = `/chat/conversations/${conversation.id}/participants`;
      await expectStatus(lena.call('POST', participantsPath, { userId: omar.id }), 200);
      const user = await openConversation(omar, conversation);
      const { page } = user;
      await button(page, 'Info').click();
      await page.getByText("You don't have permission to manage this conversation.").waitFor();
      await page.keyboard.press('Escape');
      await expectStatus(lena.call('DELETE', `${participantsPath}/${omar.id}`), 204);
      await expectTexts(page, 'You were removed from conversation');
      await button(page, 'New Direct Message').click();
      const form = dialog(user, 'Start Direct Message');
      await pickUser(form, 'Maya Okafor');
      await failWithoutMessage(page, 'POST', /\/api\/chat\/conversations$/, async () => {
        await button(form, 'Start Conversation').click();
        await expectTexts(page, 'Failed to start conversation');
      });
      await failWithoutMessage(page, 'GET', /\/api\/chat\/conversations\?/, async () => {
        await page.reload();
        await expectTexts(page, 'Failed to load conversations');
      });
    });
  });
}
