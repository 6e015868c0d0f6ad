import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { describe, expect, it, jest } from '@jest/globals';
import { type Client, demand } from '../flows/workspace.ts';
import { shootEverywhere } from './capture-screenshots.ts';
import { choose, dialog, openedList, pick, shoot, toast, typeDay } from './person.ts';
import { setUpTestEnvironment } from './test-environment.ts';

jest.setTimeout(240_000);

const stage = setUpTestEnvironment();

/** The next Tuesday that is at least a week away, at that time of Berlin's clock, where the browsers are. */
function tuesday(time: string): string {
  const day = new Date(Date.now() + 7 * 864e5);
  while (day.getUTCDay() !== 2) day.setUTCDate(day.getUTCDate() + 1);
  const guess = new Date(`${day.toISOString().slice(0, 10)}T${time}:00Z`);
  const shown = guess.toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' });
  const [hours = 0] = shown.split(':').map(Number);
  return new Date(guess.getTime() - (hours - guess.getUTCHours()) * 3_600_000).toISOString();
}

const plan = (start: string, end: string, fields: object) => ({
  title: 'A secret review',
  type: 'team-meeting',
  startTime: tuesday(start),
  endTime: tuesday(end),
  meetingLink: 'https://meet.example.org/review',
  ...fields,
});

const inBerlin = (client: Client) => demand(client.call('PATCH', '/users/profile', { timezone: 'Europe/Berlin' }), 200);

describe('planning a meeting', () => {
  it('shows who is busy and nothing of with what, and takes the next time when all are free with one press', async () => {
    const [jonas, lena, petra] = await Promise.all([
      stage.someone('Jonas', 'project_manager'),
      stage.someone('Lena', 'member'),
      stage.someone('Petra', 'project_manager'),
    ]);
    await Promise.all([jonas, lena, petra].map(inBerlin));
    // Lena is busy from eight to half past ten, with somebody else.
    await demand(petra.call('POST', '/meetings', plan('08:00', '10:30', { participants: [lena.id] })), 201);
    const { _id: id } = await demand(
      jonas.call<{ _id: string }>(
        'POST',
        '/meetings',
        plan('09:00', '10:00', { title: 'Ours', participants: [lena.id] }),
      ),
      201,
    );
    const person = await stage.sit(jonas, `/meetings?edit=${id}`);
    const form = dialog(person, 'Edit Meeting');
    const rows = form.getByRole('list', { name: 'When they are busy' }).getByRole('listitem');
    await rows.filter({ hasText: lena.name }).getByText('Busy 08:00 to 10:30').waitFor();
    expect(await rows.filter({ hasText: lena.name }).innerText()).toMatch(/^Lena \w+\s+Busy/);
    // The meeting that is edited is not in its own way.
    await rows.filter({ hasText: jonas.name }).getByText('Not busy on this day').waitFor();
    expect(await form.innerText()).not.toContain('secret');
    const next = form.getByRole('list', { name: 'Next times when all are free' }).getByRole('button');
    expect(await next.allInnerTexts()).toEqual([
      expect.stringContaining('10:30 – 11:30'),
      expect.stringContaining('11:30 – 12:30'),
      expect.stringContaining('12:30 – 13:30'),
    ]);
    await next.last().scrollIntoViewIfNeeded();
    await shoot(person, 'who-is-free');
    const hours = form.getByText('17:00', { exact: true }).locator('..').locator('span');
    const boxes = await hours.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
    expect(boxes.length).toBeGreaterThan(4);
    expect(boxes.filter(({ right }, at) => right + 8 > (boxes[at + 1]?.left ?? Number.POSITIVE_INFINITY))).toEqual([]);
    await person.page.setViewportSize({ width: 390, height: 844 });
    await person.page.emulateMedia({ colorScheme: 'dark' });
    await next.last().scrollIntoViewIfNeeded();
    await shoot(person, 'who-is-free-on-a-phone');
    await next.first().focus();
    await person.page.keyboard.press('Enter');
    await rows.filter({ hasText: lena.name }).getByText('Free', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(person.page, 'Meeting updated successfully');
    expect(await demand(jonas.call('GET', `/meetings/${id}`), 200)).toMatchObject({
      startTime: tuesday('10:30'),
      endTime: tuesday('11:30'),
    });
  });

  it('books a room that an administrator has made, and says when somebody else has it', async () => {
    const [jonas, lena] = await Promise.all([
      stage.someone('Jonas', 'project_manager'),
      stage.someone('Lena', 'member'),
    ]);
    const name = `Room ${stage.word()}`;
    const maya = await stage.sit(stage.admin, '/meetings');
    await maya.page.getByRole('button', { name: 'Rooms', exact: true }).click();
    await dialog(maya, 'Rooms').getByRole('button', { name: 'Add Room' }).click();
    const making = dialog(maya, 'Add Room');
    await making.getByLabel('Room name').fill(name);
    await making.getByRole('button', { name: 'Add Room' }).click();
    await toast(maya.page, 'Room created successfully');
    await dialog(maya, 'Rooms').getByText(name).waitFor();
    await shoot(maya, 'rooms');
    const { data } = await demand(
      jonas.call<{ data: { _id: string; name: string }[] }>('GET', '/meetings/rooms?limit=100'),
      200,
    );
    const room = data.find((one) => one.name === name)?._id;

    const mine = plan('09:00', '10:00', { title: 'Ours', participants: [lena.id] });
    const { _id: id } = await demand(jonas.call<{ _id: string }>('POST', '/meetings', mine), 201);
    const other = plan('09:30', '10:30', { participants: [lena.id], room });
    const { _id: taken } = await demand(stage.admin.call<{ _id: string }>('POST', '/meetings', other), 201);
    const person = await stage.sit(jonas, `/meetings?edit=${id}`);
    const form = dialog(person, 'Edit Meeting');
    await choose(form, person.page, 'Room', `${name} (for 8)`);
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(person.page, `${name} is taken on`);
    await demand(stage.admin.call('DELETE', `/meetings/${taken}`), 204);
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(person.page, 'Meeting updated successfully');
    expect(await demand(jonas.call('GET', `/meetings/${id}`), 200)).toMatchObject({ room: { _id: room, name } });
  });

  it('goes by the hours and reminders that people choose in their settings', async () => {
    const lena = await stage.someone('Lena', 'member');
    const person = await stage.sit(lena, '/settings');
    const panel = person.page.getByRole('region', { name: 'Meetings' });
    await choose(panel, person.page, 'Remind me of meetings', '1 hour before');
    await panel.getByText('Monday', { exact: true }).click();
    await choose(panel, person.page, 'Tuesday from', '10:00');
    await choose(panel, person.page, 'Tuesday until', '24:00');
    await panel.getByRole('button', { name: 'Save Preferences' }).click();
    await toast(person.page, 'Preferences saved');
    expect(await demand(lena.call('GET', '/users/profile/preferences'), 200)).toMatchObject({
      reminderMinutes: 60,
      workingHours: [null, { start: '10:00', end: '24:00' }, { start: '08:00', end: '18:00' }, {}, {}, null, null],
    });
    await choose(panel, person.page, 'Tuesday until', '09:30');
    await panel.getByRole('button', { name: 'Save Preferences' }).click();
    await panel.getByText('End time must be after start time').waitFor();
    await shoot(person, 'preferences');
  });

  it('shows the hours of a day whole on the smallest telephone', async () => {
    const { page } = await stage.sit(await stage.someone('Lena', 'member'), '/settings');
    await page.setViewportSize({ width: 360, height: 740 });
    const hours = page.getByRole('region', { name: 'Working hours' }).getByRole('combobox');
    await hours.first().waitFor();
    const cut = await hours.evaluateAll((fields) =>
      (fields as HTMLInputElement[]).filter((field) => field.scrollWidth > field.clientWidth).map(({ value }) => value),
    );
    expect(await hours.count()).toBe(10);
    expect(cut).toEqual([]);
  });

  it('shows the times of a field of which half is in sight, which its focus scrolls to', async () => {
    const { page } = await stage.sit(await stage.someone('Lena', 'member'), '/settings');
    const opener = page.getByRole('region', { name: 'Meetings' }).getByRole('button', { name: /Tuesday from/ });
    await opener.evaluate((button) => scrollBy(0, button.getBoundingClientRect().top + 14 - innerHeight));
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const box = await opener.boundingBox();
    if (!box) throw new Error('it is not there');
    await page.mouse.click(box.x + box.width / 2, box.y + 7);
    await openedList(page);
    // What a scroll would have closed is closed by the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.getByRole('option', { name: '10:00', exact: true }).click();
    expect(await page.getByRole('combobox', { name: 'Tuesday from' }).inputValue()).toBe('10:00');
  });
});

/** The next Monday that is at least a week away: as a calendar day, and as it is typed into a date field. */
function nextMonday(): { day: string; typed: string } {
  const date = new Date(Date.now() + 7 * 864e5);
  while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() + 1);
  const day = date.toISOString().slice(0, 10);
  return { day, typed: day.split('-').toReversed().join('') };
}

const daysAfter = (day: string, days: number) => new Date(Date.parse(day) + days * 864e5).toISOString().slice(0, 10);

/** The next four meetings of that person. */
async function nextMeetings(client: Client): Promise<Meeting[]> {
  return (await demand(client.call<{ data: Meeting[] }>('GET', '/meetings?timeFilter=upcoming&limit=4'), 200)).data;
}

const daysOf = (meetings: readonly Meeting[]) => meetings.map(({ startTime }) => startTime.slice(0, 10));

describe('a meeting that repeats by its own rule', () => {
  it('is scheduled every 2 weeks on Monday and Wednesday, and then repeats every week on Monday and Friday', async () => {
    const [jonas, lena] = await Promise.all([
      stage.someone('Jonas', 'project_manager'),
      stage.someone('Lena', 'member'),
    ]);
    const { day, typed } = nextMonday();
    const person = await stage.sit(jonas, '/meetings?schedule=1');
    const { page } = person;
    const form = dialog(person, 'Schedule New Meeting');
    const title = `Review ${stage.word()}`;
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
    await shootEverywhere(person, 'recurrence-weekly');
    await form.getByRole('button', { name: 'Schedule Meeting' }).click();
    await toast(page, 'Meeting created successfully! Invitations sent to participants.');
    const planned = await nextMeetings(lena);
    expect(daysOf(planned)).toEqual([0, 2, 14, 16].map((days) => daysAfter(day, days)));

    await page.goto(`${person.base}/meetings?edit=${planned[0]?._id}`);
    const edit = dialog(person, 'Edit Meeting');
    await edit.getByText('All meetings').click();
    await edit.getByLabel('Repeat every (weeks)').fill('1');
    const edited = (name: string) => edit.getByRole('group', { name: 'Weekdays' }).getByRole('checkbox', { name });
    await edited('Wednesday').press('Space');
    await edited('Friday').press('Space');
    await edit.getByText('Repeats every week on Monday and Friday').waitFor();
    await edited('Friday').scrollIntoViewIfNeeded();
    await shootEverywhere(person, 'recurrence-edit');
    await edit.getByRole('button', { name: 'Save Changes' }).click();
    await toast(page, 'Meeting updated successfully');
    expect(daysOf(await nextMeetings(lena))).toEqual([0, 4, 7, 11].map((days) => daysAfter(day, days)));

    const cards = page.getByRole('article', { name: title });
    const more = cards.getByRole('link', { name: /^and \d+ more dates? of / });
    await more.waitFor();
    expect(await cards.count()).toBe(1);
    await shootEverywhere(person, 'series-once');
    await more.click();
    await cards.nth(9).waitFor();
    await page.getByText(`Dates of ${title}`).waitFor();
    await shootEverywhere(person, 'series-dates');
    await page.getByRole('button', { name: 'Show all' }).click();
    await more.waitFor();
    expect(await cards.count()).toBe(1);
  });
});
