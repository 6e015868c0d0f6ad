import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { type Client, expectStatus, PASSWORD } from '../workspace/workspace.ts';
import { captureScreenshot, dialog, toast } from './browser-user.ts';
import { waitForEmail } from './mailbox.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const hoursFromNow = (hours: number) =>
  new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + hours * 3_600_000).toISOString();

async function createMeeting(organizer: Client, guest: Client, overrides: object): Promise<string> {
  const times = { startTime: hoursFromNow(50), endTime: hoursFromNow(51) };
  const meetingLink = 'https://meet.example.org/plan';
  const body = { type: 'standup', meetingLink, participants: [guest.id], ...times, ...overrides };
  return (await expectStatus(organizer.call<{ _id: string }>('POST', '/meetings', body), 201))._id;
}

const createOrganizerAndGuest = () =>
  Promise.all([environment.createUser('Jonas', 'project_manager'), environment.createUser('Lena', 'member')]);

describe('the calendar feed of a user', () => {
  it('is subscribed to with a link that is shown once, replaced, and removed in the settings', async () => {
    const [jonas, lena] = await createOrganizerAndGuest();
    await createMeeting(jonas, lena, { title: 'Plan of the week' });
    const user = await environment.openPage(lena, '/settings');
    const { page } = user;
    const section = page.getByRole('region', { name: 'Calendar' });
    const confirmation = (name: string) => page.getByRole('alertdialog', { name });
    await section.getByText('Subscribe to your meetings').waitFor();
    await section.getByRole('button', { name: 'Create Link' }).click();
    const link = section.getByLabel('Calendar link');
    const read = async () => fetch(await link.inputValue());
    expect(await link.inputValue()).toMatch(
      new RegExp(`^${environment.system.url}/api/meetings/feed/[\\w-]{43}\\.ics$`),
    );
    const response = await read();
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('SUMMARY:Plan of the week'),
    ]);
    expect(await section.getByLabel('Link for Apple Calendar').inputValue()).toMatch(/^webcal:\/\//);
    expect(await section.getByRole('link', { name: 'Open in calendar app' }).getAttribute('href')).toMatch(/^webcal:/);
    await section.scrollIntoViewIfNeeded();
    await captureScreenshot(user, 'calendar-link');
    const previousLink = await link.inputValue();

    await section.getByRole('button', { name: 'Replace Link' }).click();
    await confirmation('Replace the calendar link?').getByRole('button', { name: 'Replace Link' }).click();
    await confirmation('Replace the calendar link?').waitFor({ state: 'hidden' });
    expect(await link.inputValue()).not.toBe(previousLink);
    expect([(await fetch(previousLink)).status, (await read()).status]).toEqual([404, 200]);
    await page.reload();
    await section.getByText('Last read by a calendar').waitFor();
    expect(await link.count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await section.scrollIntoViewIfNeeded();
    await captureScreenshot(user, 'calendar-link-on-a-phone');

    await section.getByRole('button', { name: 'Remove Link' }).click();
    await confirmation('Remove the calendar link?').getByRole('button', { name: 'Remove Link' }).click();
    await toast(page, 'Calendar link removed');
    await section.getByRole('button', { name: 'Create Link' }).waitFor();
  });

  it('is complemented by calendar files for a meeting or its whole series', async () => {
    const [jonas, lena] = await createOrganizerAndGuest();
    const series = {
      isRecurring: true,
      recurringFrequency: 'weekly',
      recurringEndDate: hoursFromNow(24 * 20).slice(0, 10),
    };
    const id = await createMeeting(jonas, lena, { title: 'Every week', ...series });
    const { page } = await environment.openPage(lena, `/meetings?meeting=${id}`);
    await page.getByRole('button', { name: 'Calendar file of Every week' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'All meetings of the series' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Every week.ics');
    expect(await readFile(await download.path(), 'utf8')).toContain('RRULE:FREQ=WEEKLY');
  });
});

describe('RSVP links in an invitation email', () => {
  const linkTo = async (client: Client, subject: RegExp, response: string) => {
    const { text } = await waitForEmail(environment.system.mailboxUrl ?? '', client.email, subject);
    const link = text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).searchParams.has(response));
    return new URL(link ?? 'about:no-link');
  };
  const getResponseStatus = async (lena: Client, id: string) => {
    const meeting = await expectStatus(
      lena.call<{ participants: { _id: string; responseStatus: string }[] }>('GET', `/meetings/${id}`),
      200,
    );
    return meeting.participants.find(({ _id }) => _id === lena.id)?.responseStatus;
  };

  it('lead through sign-in to the meeting, change nothing when opened, and save an RSVP with one press', async () => {
    const [jonas, lena] = await createOrganizerAndGuest();
    const id = await createMeeting(jonas, lena, { title: 'Review by email' });
    const { pathname, search } = await linkTo(lena, /Review by email/, 'accept');
    const guest = await environment.openGuestPage(pathname + search);
    const { page } = guest;
    await page.getByLabel('Email').fill(lena.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    const invitation = dialog(guest, 'Review by email');
    const accept = invitation.getByRole('button', { name: 'Accept', exact: true });
    await accept.waitFor();
    expect(await getResponseStatus(lena, id)).toBe('pending');
    await captureScreenshot(guest, 'answer-by-link');
    await page.setViewportSize({ width: 390, height: 844 });
    await captureScreenshot(guest, 'answer-by-link-on-a-phone');
    await accept.click();
    await invitation.getByRole('button', { name: 'Accepted', pressed: true }).waitFor();
    expect(await getResponseStatus(lena, id)).toBe('accepted');
    expect(new URL(page.url()).search).toBe(`?meeting=${id}`);
  });

  it('respond to a whole series, and explain when the user is no longer invited', async () => {
    const [jonas, lena] = await createOrganizerAndGuest();
    const series = {
      isRecurring: true,
      recurringFrequency: 'weekly',
      recurringEndDate: hoursFromNow(24 * 20).slice(0, 10),
    };
    const id = await createMeeting(jonas, lena, { title: 'Weekly by mail', ...series });
    const link = await linkTo(lena, /Weekly by mail/, 'decline');
    const user = await environment.openPage(lena, link.pathname + link.search);
    await dialog(user, 'Weekly by mail')
      .getByRole('radio', { name: /^All meetings/, checked: true })
      .waitFor();
    await dialog(user, 'Weekly by mail').getByRole('button', { name: 'Decline', exact: true }).click();
    await dialog(user, 'Weekly by mail').getByRole('button', { name: 'Declined', pressed: true }).waitFor();
    const { data } = await expectStatus(lena.call<{ data: { _id: string }[] }>('GET', '/meetings'), 200);
    expect(await Promise.all(data.map(({ _id }) => getResponseStatus(lena, _id)))).toEqual(data.map(() => 'declined'));

    await expectStatus(jonas.call('PATCH', `/meetings/${id}?scope=all`, { participants: [environment.admin.id] }), 200);
    await user.page.goto(environment.system.url + link.pathname + link.search);
    await dialog(user, 'Invitation').getByText('You are no longer invited to this meeting').waitFor();
    await captureScreenshot(user, 'no-longer-invited');
  });
});
