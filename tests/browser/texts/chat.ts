import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, demand } from '../../flows/workspace.ts';
import { wordless } from '../mock-responses.ts';
import { dialog, type Person, pickPerson, toast } from '../person.ts';
import type { Stage } from '../test-environment.ts';
import { button, see } from './see.ts';

/** Brings up the texts of Team Chat. */
export function describeChatTexts(stage: Stage): void {
  describe('the texts of Team Chat', () => {
    // Calls that stay without a word are what these tests provoke.
    beforeEach(() => stage.expectFaults(/status of 500/));

    type Room = { id: string; title: string };

    async function makeRoom(creator: Client): Promise<Room> {
      const title = `room-${stage.word().toLowerCase()}`;
      const body = { type: 'group', title, participants: [] };
      const { _id: id } = await demand(creator.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
      return { id, title };
    }

    async function enterRoom(client: Client, { title }: Room): Promise<Person> {
      const person = await stage.sit(client, '/chat');
      await person.page
        .getByRole('link', { name: new RegExp(title) })
        .first()
        .click();
      await person.page.getByRole('textbox', { name: /^Message/ }).waitFor();
      return person;
    }

    it('greet who has not chosen a conversation, and name what a channel lacks', async () => {
      const person = await stage.sit(await stage.someone('Lena', 'member'), '/settings');
      const { page } = person;
      let isCut = true;
      await page.routeWebSocket(/\/socket\.io\//, (line) => void (isCut ? line.close() : line.connectToServer()));
      await page.goto(`${person.base}/chat`);
      await see(page, 'Welcome to Team Chat', 'Disconnected');
      isCut = false;
      await see(page, 'Connected');
      await button(page, 'New Channel').click();
      const form = dialog(person, 'Create New Channel');
      await button(form, 'Create Channel').click();
      await see(page, 'Channel name is required');
      await form.getByLabel('Channel name').fill('Not This!');
      await button(form, 'Create Channel').click();
      await see(page, 'Channel name can only contain lowercase letters, numbers, and hyphens');
      await form.getByLabel('Channel name').fill(`room-${stage.word().toLowerCase()}`);
      await wordless(page, 'POST', /\/api\/chat\/conversations$/, async () => {
        await button(form, 'Create Channel').click();
        await see(page, 'Failed to create channel');
      });
      await button(form, 'Create Channel').click();
      await see(page, 'No messages yet', 'Start the conversation!');
    });

    it('are the default of each action in a conversation, where the server says nothing', async () => {
      // An administrator, who alone may delete a conversation.
      const room = await makeRoom(stage.admin);
      const guest = await stage.someone('Omar', 'member');
      const person = await enterRoom(stage.admin, room);
      const { page } = person;
      const input = page.getByRole('textbox', { name: /^Message/ });
      await wordless(page, 'POST', /\/api\/chat\/messages$/, async () => {
        await input.fill('Lost?');
        await input.press('Enter');
        await see(page, 'Failed to send message');
      });
      await expect(input.inputValue()).resolves.toBe('Lost?');
      await button(page, 'Info').click();
      const info = page.getByRole('dialog');
      await info.getByLabel('Conversation name').fill(' ');
      await see(page, 'Conversation name cannot be empty');
      await info.getByLabel('Conversation name').fill(`${room.title}-new`);
      await wordless(page, 'PATCH', /\/api\/chat\/conversations\//, async () => {
        await button(info, 'Rename').click();
        await see(page, 'Failed to update conversation name');
      });
      await button(info, 'Rename').click();
      await toast(page, 'Conversation name updated successfully');
      await button(info, 'Add participants').click();
      await pickPerson(info, guest.name);
      await wordless(page, 'POST', /\/api\/chat\/conversations\/[0-9a-f]+\/participants$/, async () => {
        await button(info, 'Add').click();
        await see(page, 'Failed to add participant');
      });
      await button(info, 'Add').click();
      await toast(page, `${guest.name} added to the conversation`);
      await wordless(page, 'DELETE', /\/api\/chat\/conversations\/[0-9a-f]+\/participants/, async () => {
        await button(info, `Remove ${guest.name}`).click();
        await see(page, 'Failed to remove participant');
      });
      await button(info, `Remove ${guest.name}`).click();
      await toast(page, `${guest.name} removed from the conversation`);
      await page.keyboard.press('Escape');
      await info.waitFor({ state: 'detached' });
      await button(page, 'Delete').click();
      const question = page.getByRole('alertdialog');
      await question.getByText('Delete this conversation and all messages? This cannot be undone.').waitFor();
      await wordless(page, 'DELETE', /\/api\/chat\/conversations\//, async () => {
        await button(question, 'Delete').click();
        await see(page, 'Delete failed', 'Could not delete conversation');
      });
    });

    it('say who may not manage a conversation, and who cannot be written to', async () => {
      const lena = await stage.someone('Lena', 'member');
      const omar = await stage.someone('Omar', 'member');
      const room = await makeRoom(lena);
      const people = `/chat/conversations/${room.id}/participants`;
      await demand(lena.call('POST', people, { userId: omar.id }), 200);
      const person = await enterRoom(omar, room);
      const { page } = person;
      await button(page, 'Info').click();
      await page.getByText("You don't have permission to manage this conversation.").waitFor();
      await page.keyboard.press('Escape');
      await demand(lena.call('DELETE', `${people}/${omar.id}`), 204);
      await see(page, 'You were removed from conversation');
      await button(page, 'New Direct Message').click();
      const form = dialog(person, 'Start Direct Message');
      await pickPerson(form, 'Maya Okafor');
      await wordless(page, 'POST', /\/api\/chat\/conversations$/, async () => {
        await button(form, 'Start Conversation').click();
        await see(page, 'Failed to start conversation');
      });
      await wordless(page, 'GET', /\/api\/chat\/conversations\?/, async () => {
        await page.reload();
        await see(page, 'Failed to load conversations');
      });
    });
  });
}
