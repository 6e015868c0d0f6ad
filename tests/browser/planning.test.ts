import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { describe, expect, it } from '@jest/globals';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { captureScreenshot, choose, dialog, pick, toast, typeDay, waitForOpenList } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

/** Returns a time in Berlin, the browsers' time zone, on the next Tuesday at least a week ahead. */
function tuesday(time: string): string {
  const day = new Date(Date.now() + 7 * 864e5);
  while (day.getUTCDay() !== 2) day.setUTCDate(day.getUTCDate() + 1);
  const utcGuess = new Date(`${day.toISOString().slice(0, 10)}T${time}:00Z`);
  const berlinTime = utcGuess.toLocaleTimeString('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    minute: '2-digit',
  });
  const [hours = 0] = berlinTime.split(':').map(Number);
  return new Date(utcGuess.getTime() - (hours - utcGuess.getUTCHours()) * 3_600_000).toISOString();
}

const plan = (start: string, end: string, fields: object) => ({
  title: 'A secret review',
  type: 'team-meeting',
  startTime: tuesday(start),
  endTime: tuesday(end),
  meetingLink: 'https://meet.example.org/review',
  ...fields,
});

const setTimezoneToBerlin = (client: Client) =>
  expectStatus(client.call('PATCH', '/users/profile', { timezone: 'Europe/Berlin' }), 200);

describe('planning a meeting', () => {
  it('shows when participants are busy without details, and applies a common free time with one press', async () => {
    const [jonas, lena, petra] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
      environment.createUser('Petra', 'project_manager'),
    ]);
    await Promise.all([jonas, lena, petra].map(setTimezoneToBerlin));
    // Lena is busy from eight to half past ten with other participants.
    await expectStatus(petra.call('POST', '/meetings', plan('08:00', '10:30', { participants: [lena.id] })), 201);
    const { _id: id } = await expectStatus(
      jonas.call<{ _id: string }>(
        'POST',
        '/meetings',
        plan('09:00', '10:00', { title: 'Ours', participants: [lena.id] }),
      ),
      201,
    );
    const user = await environment.openPage(jonas, `/meetings?edit=${id}`);
    const form = dialog(user, 'Edit Meeting');
    const rows = form.getByRole('list', { name: 'Busy times' }).getByRole('listitem');
    await rows.filter({ hasText: lena.name }).getByText('Busy 08:00 to 10:30').waitFor();
    expect(await rows.filter({ hasText: lena.name }).innerText()).toMatch(/^Lena \w+\s+Busy/);
    // The edited meeting does not conflict with itself.
    await rows.filter({ hasText: jonas.name }).getByText('Not busy on this day').waitFor();
    expect(await form.innerText()).not.toContain('secret');
    const next = form.getByRole('list', { name: 'Next times everyone is free' }).getByRole('button');
    expect(await next.allInnerTexts()).toEqual([
      expect.stringContaining('10:30 – 11:30'),
      expect.stringContaining('11:30 – 12:30'),
      expect.stringContaining('12:30 – 13:30'),
    ]);
    await next.last().scrollIntoViewIfNeeded();
    await captureScreenshot(user, 'free-busy');
    const hours = form.getByText('17:00', { exact: true }).locator('..').locator('span');
    const boxes = await hours.evaluateAll((elements) =>
      elements.map((element) => element.getBoundingClientRect().toJSON() as DOMRect),
    );
    expect(boxes.length).toBeGreaterThan(4);
    expect(boxes.filter(({ right }, at) => right + 8 > (boxes[at + 1]?.left ?? Number.POSITIVE_INFINITY))).toEqual([]);
    await user.page.setViewportSize({ width: 390, height: 844 });
    await user.page.emulateMedia({ colorScheme: 'dark' });
    await next.last().scrollIntoViewIfNeeded();
    await captureScreenshot(user, 'free-busy-on-a-phone');
    await next.first().focus();
    await user.page.keyboard.press('Enter');
    await rows.filter({ hasText: lena.name }).getByText('Free', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(user.page, 'Meeting updated successfully');
    expect(await expectStatus(jonas.call('GET', `/meetings/${id}`), 200)).toMatchObject({
      startTime: tuesday('10:30'),
      endTime: tuesday('11:30'),
    });
  });

  it('books a room that an administrator has created, and reports a conflict', async () => {
    const [jonas, lena] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
    ]);
    const name = `Room ${environment.uniqueWord()}`;
    const maya = await environment.openPage(environment.admin, '/meetings');
    await maya.page.getByRole('button', { name: 'Rooms', exact: true }).click();
    await dialog(maya, 'Rooms').getByRole('button', { name: 'Add Room' }).click();
    const roomForm = dialog(maya, 'Add Room');
    await roomForm.getByLabel('Room name').fill(name);
    await roomForm.getByRole('button', { name: 'Add Room' }).click();
    await toast(maya.page, 'Room created successfully');
    await dialog(maya, 'Rooms').getByText(name).waitFor();
    await captureScreenshot(maya, 'rooms');
    const { data } = await expectStatus(
      jonas.call<{ data: { _id: string; name: string }[] }>('GET', '/meetings/rooms?limit=100'),
      200,
    );
    const room = data.find((candidate) => candidate.name === name)?._id;

    const ownMeeting = plan('09:00', '10:00', { title: 'Ours', participants: [lena.id] });
    const { _id: id } = await expectStatus(jonas.call<{ _id: string }>('POST', '/meetings', ownMeeting), 201);
    const other = plan('09:30', '10:30', { participants: [lena.id], room });
    const { _id: conflictingMeeting } = await expectStatus(
      environment.admin.call<{ _id: string }>('POST', '/meetings', other),
      201,
    );
    const user = await environment.openPage(jonas, `/meetings?edit=${id}`);
    const form = dialog(user, 'Edit Meeting');
    await choose(form, user.page, 'Room', `${name} (seats 8)`);
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(user.page, `${name} is taken on`);
    await expectStatus(environment.admin.call('DELETE', `/meetings/${conflictingMeeting}`), 204);
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(user.page, 'Meeting updated successfully');
    expect(await expectStatus(jonas.call('GET', `/meetings/${id}`), 200)).toMatchObject({ room: { _id: room, name } });
  });

  it('saves the working hours and reminders that users set, and rejects an end before the start', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const user = await environment.openPage(lena, '/settings');
    const panel = user.page.getByRole('region', { name: 'Meetings' });
    await choose(panel, user.page, 'Remind me of meetings', '1 hour before');
    await panel.getByText('Monday', { exact: true }).click();
    await choose(panel, user.page, 'Tuesday from', '10:00');
    await choose(panel, user.page, 'Tuesday until', '24:00');
    await panel.getByRole('button', { name: 'Save Preferences' }).click();
    await toast(user.page, 'Preferences saved');
    expect(await expectStatus(lena.call('GET', '/users/profile/preferences'), 200)).toMatchObject({
      reminderMinutes: 60,
      workingHours: [null, { start: '10:00', end: '24:00' }, { start: '08:00', end: '18:00' }, {}, {}, null, null],
    });
    await choose(panel, user.page, 'Tuesday until', '09:30');
    await panel.getByRole('button', { name: 'Save Preferences' }).click();
    await panel.getByText('End time must be after start time').waitFor();
    await captureScreenshot(user, 'preferences');
  });

  it('shows the working hours completely on the smallest phone', async () => {
    const { page } = await environment.openPage(await environment.createUser('Lena', 'member'), '/settings');
    await page.setViewportSize({ width: 360, height: 740 });
    const hours = page.getByRole('region', { name: 'Working hours' }).getByRole('combobox');
    await hours.first().waitFor();
    const clippedValues = await hours.evaluateAll((fields) =>
      (fields as HTMLInputElement[]).filter((field) => field.scrollWidth > field.clientWidth).map(({ value }) => value),
    );
    expect(await hours.count()).toBe(10);
    expect(clippedValues).toEqual([]);
  });

  it('keeps the options of a half-visible time field open when focus scrolls the field into view', async () => {
    const { page } = await environment.openPage(await environment.createUser('Lena', 'member'), '/settings');
    const opener = page.getByRole('region', { name: 'Meetings' }).getByRole('button', { name: /Tuesday from/ });
    await opener.evaluate((button) => scrollBy(0, button.getBoundingClientRect().top + 14 - innerHeight));
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const box = await opener.boundingBox();
    if (!box) throw new Error('No bounding box');
    await page.mouse.click(box.x + box.width / 2, box.y + 7);
    await waitForOpenList(page);
    // If scrolling closed the options, they would be gone two frames later.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.getByRole('option', { name: '10:00', exact: true }).click();
    expect(await page.getByRole('combobox', { name: 'Tuesday from' }).inputValue()).toBe('10:00');
  });
});

/** Returns the next Monday at least a week ahead: as an ISO date, and as typed into a date field. */
function nextMonday(): { day: string; typed: string } {
  const date = new Date(Date.now() + 7 * 864e5);
  while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() + 1);
  const day = date.toISOString().slice(0, 10);
  return { day, typed: day.split('-').toReversed().join('') };
}

const daysAfter = (day: string, days: number) => new Date(Date.parse(day) + days * 864e5).toISOString().slice(0, 10);

/** Lists the user's next four meetings. */
async function nextMeetings(client: Client): Promise<Meeting[]> {
  return (await expectStatus(client.call<{ data: Meeting[] }>('GET', '/meetings?timeFilter=upcoming&limit=4'), 200))
    .data;
}

const daysOf = (meetings: readonly Meeting[]) => meetings.map(({ startTime }) => startTime.slice(0, 10));

describe('a recurring meeting with a custom rule', () => {
  it('is scheduled every 2 weeks on Monday and Wednesday, then changed to every week on Monday and Friday', async () => {
    const [jonas, lena] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
    ]);
    const { day, typed } = nextMonday();
    const user = await environment.openPage(jonas, '/meetings?schedule=1');
    const { page } = user;
    const form = dialog(user, 'Schedule New Meeting');
    const title = `Review ${environment.uniqueWord()}`;
    await form.getByLabel('Title').fill(title);
    await choose(form, page, 'Type', 'Team meeting');
    await typeDay(form, 'Date', typed);
    await choose(form, page, 'Start time', '10:00');
    await choose(form, page, 'End time', '11:00');
    await form.getByLabel(/Meeting link/).fill('https://meet.example.org/review');
    await pick(form, 'Participants', [lena.name]);
    await form.getByText('Recurring meeting').click();
    await choose(form, page, 'Frequency', 'Weekly');
    await form.getByLabel('Repeat every (weeks)').fill('2');
    const weekday = (name: string) => form.getByRole('group', { name: 'Weekdays' }).getByRole('checkbox', { name });
    await weekday('Wednesday').press('Space');
    await form.getByText('Repeats every 2 weeks on Monday and Wednesday').waitFor();
    await weekday('Wednesday').scrollIntoViewIfNeeded();
    await captureThemesAndSizes(user, 'recurrence-weekly');
    await form.getByRole('button', { name: 'Schedule Meeting' }).click();
    await toast(page, 'Meeting created successfully! Invitations sent to participants.');
    const planned = await nextMeetings(lena);
    expect(daysOf(planned)).toEqual([0, 2, 14, 16].map((days) => daysAfter(day, days)));

    await page.goto(`${user.base}/meetings?edit=${planned[0]?._id}`);
    const edit = dialog(user, 'Edit Meeting');
    await edit.getByText('All meetings').click();
    await edit.getByLabel('Repeat every (weeks)').fill('1');
    const editWeekday = (name: string) => edit.getByRole('group', { name: 'Weekdays' }).getByRole('checkbox', { name });
    await editWeekday('Wednesday').press('Space');
    await editWeekday('Friday').press('Space');
    await edit.getByText('Repeats every week on Monday and Friday').waitFor();
    await editWeekday('Friday').scrollIntoViewIfNeeded();
    await captureThemesAndSizes(user, 'recurrence-edit');
    await edit.getByRole('button', { name: 'Save Changes' }).click();
    await toast(page, 'Meeting updated successfully');
    expect(daysOf(await nextMeetings(lena))).toEqual([0, 4, 7, 11].map((days) => daysAfter(day, days)));

    const cards = page.getByRole('article', { name: title });
    const moreLink = cards.getByRole('link', { name: /^and \d+ more dates? of / });
    await moreLink.waitFor();
    expect(await cards.count()).toBe(1);
    await captureThemesAndSizes(user, 'series-once');
    await moreLink.click();
    await cards.nth(9).waitFor();
    await page.getByText(`Dates of ${title}`).waitFor();
    await captureThemesAndSizes(user, 'series-dates');
    await page.getByRole('button', { name: 'Show all' }).click();
    await moreLink.waitFor();
    expect(await cards.count()).toBe(1);
  });
});
