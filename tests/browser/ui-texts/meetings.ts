import { beforeEach, describe, it } from '@jest/globals';
import { type Client, expectStatus } from '../../workspace/workspace.ts';
import { type BrowserUser, choose, dialog, pick, pickDay, toast } from '../browser-user.ts';
import { failWithoutMessage } from '../mock-responses.ts';
import type { TestEnvironment } from '../test-environment.ts';
import { button, expectTexts } from './expect-texts.ts';

const HOUR_MS = 3_600_000;

/**
 * Registers tests for every UI text that the specification requires for meetings. The environment must allow past
 * meetings.
 */
export function describeMeetingUiTexts(environment: TestEnvironment): void {
  describe('meeting UI texts', () => {
    // These tests provoke responses without a message.
    beforeEach(() => environment.expectErrors(/status of 500/));

    /** Saves a draft of the new-meeting form, as a previous version or day may have left it. */
    async function saveDraft({ page }: BrowserUser, owner: Client, typed: Record<string, string>): Promise<void> {
      const key = `atrium:draft:${owner.id}:meeting:new`;
      const draft = JSON.stringify({ at: Date.now(), value: { typed, from: {} } });
      await page.evaluate(([name, text]) => localStorage.setItem(name, text), [key, draft] as const);
    }

    /** Creates a future or past meeting of a manager. */
    async function createMeeting(hours: number): Promise<{ manager: Client; title: string }> {
      const manager = await environment.createUser('Jonas', 'project_manager');
      const title = `Review ${environment.uniqueWord()}`;
      const body = {
        title,
        type: 'standup',
        startTime: new Date(Date.now() + hours * HOUR_MS).toISOString(),
        endTime: new Date(Date.now() + (hours + 1) * HOUR_MS).toISOString(),
        meetingLink: 'https://meet.example.org/texts',
        participants: [manager.id],
      };
      await expectStatus(manager.call('POST', '/meetings', body), 201);
      return { manager, title };
    }

    it('name missing fields of a new meeting, and report a failed creation', async () => {
      const manager = await environment.createUser('Jonas', 'project_manager');
      const user = await environment.openPage(manager, '/meetings');
      const { page } = user;
      // The form starts with a date and times, so only a draft can lack them.
      await saveDraft(user, manager, { date: '', startTime: '', endTime: '' });
      await button(page, 'Schedule Meeting').click();
      const form = dialog(user, 'Schedule New Meeting');
      const save = button(form, 'Schedule Meeting');
      await save.click();
      await expectTexts(
        page,
        'Meeting title is required',
        'Date is required',
        'Start time is required',
        'End time is required',
        'Meeting type is required',
        'At least one participant is required',
        'Meeting link is required',
      );
      await form.getByLabel('Title').fill('Quarterly');
      await choose(form, page, 'Type', 'Project review');
      await form.getByLabel(/Meeting link/).fill('nowhere');
      await save.click();
      await expectTexts(page, 'Please enter a valid URL');
      await form.getByLabel(/Meeting link/).fill('https://meet.example.org/texts');
      await pickDay(form, 'Date', 15, { monthsAhead: 1 });
      await choose(form, page, 'Start time', '11:00');
      await choose(form, page, 'End time', '10:00');
      await save.click();
      await expectTexts(page, 'End time must be after start time');
      await choose(form, page, 'End time', '12:00');
      await form.getByText('Recurring meeting', { exact: true }).click();
      await save.click();
      await expectTexts(page, 'Frequency is required for recurring meetings');
      await form.getByText('Recurring meeting', { exact: true }).click();
      await pick(form, 'Participants', [environment.admin.name]);
      await failWithoutMessage(page, 'POST', /\/api\/meetings$/, async () => {
        await save.click();
        await expectTexts(page, 'Failed to create meeting');
      });
      await save.click();
      await toast(page, 'Meeting created successfully! Invitations sent to participants.');
    });

    it('report a failed and a successful update and deletion', async () => {
      const { manager, title } = await createMeeting(24);
      const user = await environment.openPage(manager, '/meetings');
      const { page } = user;
      await button(page, `Edit ${title}`).click();
      const form = dialog(user, 'Edit Meeting');
      await form.getByLabel('Title').fill(`${title} again`);
      const save = button(form, /^(Save|Update)/);
      await failWithoutMessage(page, 'PATCH', /\/api\/meetings\//, async () => {
        await save.click();
        await expectTexts(page, 'Failed to update meeting');
      });
      await save.click();
      await toast(page, 'Meeting updated successfully');
      await button(page, `Delete ${title} again`).click();
      const confirmation = page.getByRole('alertdialog');
      await failWithoutMessage(page, 'DELETE', /\/api\/meetings\//, async () => {
        await button(confirmation, /Delete/).click();
        await expectTexts(page, 'Failed to delete meeting');
      });
      await button(confirmation, /Delete/).click();
      await toast(page, 'Meeting deleted successfully');
    });

    it('report failed and successful saving of notes', async () => {
      const { manager, title } = await createMeeting(-3);
      const user = await environment.openPage(manager, '/meetings?tab=past');
      const { page } = user;
      await button(page.getByRole('article', { name: title }), /Notes/).click();
      const form = dialog(user, 'Add Meeting Notes & Summary');
      await form.getByLabel('Notes').fill('We agreed.');
      await failWithoutMessage(page, 'PATCH', /\/api\/meetings\//, async () => {
        await button(form, 'Save Notes').click();
        await expectTexts(page, 'Failed to add notes and summary');
      });
      await button(form, 'Save Notes').click();
      await toast(page, 'Notes and summary added successfully');
    });

    it('show the total of a list with several pages, and an error for a past time', async () => {
      const { manager } = await createMeeting(30);
      for (let day = 2; day <= 11; day += 1) {
        const startTime = new Date(Date.now() + day * 24 * HOUR_MS);
        const body = {
          title: `Daily ${day}`,
          type: 'standup',
          startTime: startTime.toISOString(),
          endTime: new Date(startTime.getTime() + HOUR_MS / 2).toISOString(),
          meetingLink: 'https://meet.example.org/texts',
          participants: [manager.id],
        };
        await expectStatus(manager.call('POST', '/meetings', body), 201);
      }
      const user = await environment.openPage(manager, '/meetings');
      const { page } = user;
      await expectTexts(page, 'Showing page 1 of 2 (11 total items)');
      await saveDraft(user, manager, { date: '2026-01-02', startTime: '08:00', endTime: '09:00' });
      await button(page, 'Schedule Meeting').click();
      await button(dialog(user, 'Schedule New Meeting'), 'Schedule Meeting').click();
      await expectTexts(page, 'Meeting time cannot be in the past');
    });

    it.each([
      ['Failed to load upcoming meetings', '/meetings'],
      ['Failed to load past meetings', '/meetings?tab=past'],
    ])('are "%s" if the response has no message', async (text, path) => {
      const { page } = await environment.openPage(environment.admin, '/settings');
      await failWithoutMessage(page, 'GET', /\/api\/meetings\/?(upcoming)?\?/, async () => {
        await page.goto(`${environment.system.url}${path}`);
        await expectTexts(page, text);
      });
    });
  });
}
