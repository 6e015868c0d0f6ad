import { beforeEach, describe, it } from '@jest/globals';
import { type Client, demand } from '../../flows/workspace.ts';
import { wordless } from '../mock-responses.ts';
import { choose, dialog, type Person, pick, pickDay, toast } from '../person.ts';
import type { Stage } from '../test-environment.ts';
import { button, see } from './see.ts';

const HOUR = 3_600_000;

/** Brings up the texts of meetings; the stage lets meetings be made in the past, for what is said of those. */
export function describeMeetingTexts(stage: Stage): void {
  describe('the texts of meetings', () => {
    // Calls that stay without a word are what these tests provoke.
    beforeEach(() => stage.expectFaults(/status of 500/));

    /** Puts into the form for a new meeting what an earlier version of it, or an earlier day, has left there. */
    async function leaveDraft({ page }: Person, owner: Client, typed: Record<string, string>): Promise<void> {
      const key = `atrium:draft:${owner.id}:meeting:new`;
      const draft = JSON.stringify({ at: Date.now(), value: { typed, from: {} } });
      await page.evaluate(([name, text]) => localStorage.setItem(name, text), [key, draft] as const);
    }

    /** A meeting of a manager that is to come, or has been. */
    async function aMeeting(hours: number): Promise<{ manager: Client; title: string }> {
      const manager = await stage.someone('Jonas', 'project_manager');
      const title = `Review ${stage.word()}`;
      const body = {
        title,
        type: 'standup',
        startTime: new Date(Date.now() + hours * HOUR).toISOString(),
        endTime: new Date(Date.now() + (hours + 1) * HOUR).toISOString(),
        meetingLink: 'https://meet.example.org/texts',
        participants: [manager.id],
      };
      await demand(manager.call('POST', '/meetings', body), 201);
      return { manager, title };
    }

    it('name what a new one lacks, and say when it cannot be made', async () => {
      const manager = await stage.someone('Jonas', 'project_manager');
      const person = await stage.sit(manager, '/meetings');
      const { page } = person;
      // The form begins with a day and times, so that only a draft can lack them.
      await leaveDraft(person, manager, { date: '', startTime: '', endTime: '' });
      await button(page, 'Schedule Meeting').click();
      const form = dialog(person, 'Schedule New Meeting');
      const save = button(form, 'Schedule Meeting');
      await save.click();
      await see(
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
      await see(page, 'Please enter a valid URL');
      await form.getByLabel(/Meeting link/).fill('https://meet.example.org/texts');
      await pickDay(form, 'Date', 15, { monthsAhead: 1 });
      await choose(form, page, 'Start time', '11:00');
      await choose(form, page, 'End time', '10:00');
      await save.click();
      await see(page, 'End time must be after start time');
      await choose(form, page, 'End time', '12:00');
      await form.getByText('Recurring meeting', { exact: true }).click();
      await save.click();
      await see(page, 'Frequency is required for recurring meetings');
      await form.getByText('Recurring meeting', { exact: true }).click();
      await pick(form, 'Participants', [stage.admin.name]);
      await wordless(page, 'POST', /\/api\/meetings$/, async () => {
        await save.click();
        await see(page, 'Failed to create meeting');
      });
      await save.click();
      await toast(page, 'Meeting created successfully! Invitations sent to participants.');
    });

    it('say when one cannot be changed or deleted, and when it has been', async () => {
      const { manager, title } = await aMeeting(24);
      const person = await stage.sit(manager, '/meetings');
      const { page } = person;
      await button(page, `Edit ${title}`).click();
      const form = dialog(person, 'Edit Meeting');
      await form.getByLabel('Title').fill(`${title} again`);
      const save = button(form, /^(Save|Update)/);
      await wordless(page, 'PATCH', /\/api\/meetings\//, async () => {
        await save.click();
        await see(page, 'Failed to update meeting');
      });
      await save.click();
      await toast(page, 'Meeting updated successfully');
      await button(page, `Delete ${title} again`).click();
      const question = page.getByRole('alertdialog');
      await wordless(page, 'DELETE', /\/api\/meetings\//, async () => {
        await button(question, /Delete/).click();
        await see(page, 'Failed to delete meeting');
      });
      await button(question, /Delete/).click();
      await toast(page, 'Meeting deleted successfully');
    });

    it('say when notes cannot be kept, and when they are', async () => {
      const { manager, title } = await aMeeting(-3);
      const person = await stage.sit(manager, '/meetings?tab=past');
      const { page } = person;
      await button(page.getByRole('article', { name: title }), /Notes/).click();
      const form = dialog(person, 'Add Meeting Notes & Summary');
      await form.getByLabel('Notes').fill('We agreed.');
      await wordless(page, 'PATCH', /\/api\/meetings\//, async () => {
        await button(form, 'Save Notes').click();
        await see(page, 'Failed to add notes and summary');
      });
      await button(form, 'Save Notes').click();
      await toast(page, 'Notes and summary added successfully');
    });

    it('refuse a time that has gone, and count what fills more than a page', async () => {
      const { manager } = await aMeeting(30);
      for (let day = 2; day <= 11; day += 1) {
        const startTime = new Date(Date.now() + day * 24 * HOUR);
        const body = {
          title: `Daily ${day}`,
          type: 'standup',
          startTime: startTime.toISOString(),
          endTime: new Date(startTime.getTime() + HOUR / 2).toISOString(),
          meetingLink: 'https://meet.example.org/texts',
          participants: [manager.id],
        };
        await demand(manager.call('POST', '/meetings', body), 201);
      }
      const person = await stage.sit(manager, '/meetings');
      const { page } = person;
      await see(page, 'Showing page 1 of 2 (11 total items)');
      await leaveDraft(person, manager, { date: '2026-01-02', startTime: '08:00', endTime: '09:00' });
      await button(page, 'Schedule Meeting').click();
      await button(dialog(person, 'Schedule New Meeting'), 'Schedule Meeting').click();
      await see(page, 'Meeting time cannot be in the past');
    });

    it.each([
      ['Failed to load upcoming meetings', '/meetings'],
      ['Failed to load past meetings', '/meetings?tab=past'],
    ])('are "%s" where the server says nothing', async (text, path) => {
      const { page } = await stage.sit(stage.admin, '/settings');
      await wordless(page, 'GET', /\/api\/meetings\/?(upcoming)?\?/, async () => {
        await page.goto(`${stage.system.url}${path}`);
        await see(page, text);
      });
    });
  });
}
