import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { type BrowserUser, captureScreenshot, dialog, pick, toast } from './browser-user.ts';
import { openSignedInPage, setUpTestEnvironment } from './test-environment.ts';

// Includes meetings that are in progress and end during the test.
const environment = setUpTestEnvironment({ env: { ALLOW_PAST_MEETINGS: 'true' } });

const DAY_MS = 86_400_000;

/** The Sunday that begins the week after next. */
const sunday = (() => {
  const day = new Date(Date.now() + 14 * DAY_MS);
  return new Date(day.getTime() - day.getUTCDay() * DAY_MS);
})();
/** A day of that week as in the URL. */
const dayOf = (weekday: number): string => new Date(sunday.getTime() + weekday * DAY_MS).toISOString().slice(0, 10);

/** A time of that week in Berlin, the browsers' time zone. */
function berlin(weekday: number, time: string): string {
  const utcGuess = new Date(`${dayOf(weekday)}T${time}:00Z`);
  const berlinTime = utcGuess.toLocaleTimeString('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    minute: '2-digit',
  });
  const [hours = 0] = berlinTime.split(':').map(Number);
  const hoursAhead = (hours - utcGuess.getUTCHours() + 24) % 24;
  return new Date(utcGuess.getTime() - hoursAhead * 3_600_000).toISOString();
}

const plan = (weekday: number, start: string, end: string, fields: object = {}) => ({
  title: 'Design review',
  type: 'team-meeting',
  startTime: berlin(weekday, start),
  endTime: berlin(weekday, end),
  meetingLink: 'https://meet.example.org/review',
  ...fields,
});

const schedule = (client: Client, body: object) => expectStatus(client.call<Meeting>('POST', '/meetings', body), 201);
const read = (client: Client, id: string) => expectStatus(client.call<Meeting>('GET', `/meetings/${id}`), 200);
const event = ({ page }: BrowserUser, title: string): Locator =>
  page.getByRole('application').getByRole('button', { name: new RegExp(`^${title},`) });
/** The accessible name of a button in the grid. */
function readAccessibleName(button: Element): string {
  const spoken = [...button.children].filter(({ ariaHidden }) => ariaHidden !== 'true');
  return button.ariaLabel ?? spoken.map(({ textContent }) => textContent).join(' ');
}
const accessibleNameOf = (block: Locator) => block.evaluate(readAccessibleName);
const getFocusedName = ({ page }: BrowserUser) => accessibleNameOf(page.locator(':focus'));
const weekPath = `/meetings/calendar?view=week&date=${dayOf(3)}`;

/** Saves measurements for review after the run. */
function saveFigures(name: string, figures: object): void {
  mkdirSync(FIGURES, { recursive: true });
  writeFileSync(`${FIGURES}${name}.json`, `${JSON.stringify(figures, null, 2)}\n`);
}

const FIGURES = fileURLToPath(new URL('../../output/working-day/', import.meta.url));

/** The latest announcement to screen readers. */
const announcement = ({ page }: BrowserUser) => page.locator('[aria-live=assertive][data-announcement]').innerText();

/** Presses a button of the confirmation that precedes a move that resets RSVPs. */
async function confirmMove({ page }: BrowserUser, button: 'Move Meeting' | 'Cancel'): Promise<void> {
  const confirmation = page.getByRole('alertdialog', { name: 'Move meeting' });
  await confirmation.getByRole('button', { name: button }).press('Enter');
  await confirmation.waitFor({ state: 'detached' });
}

async function createTeam() {
  return Promise.all([environment.createUser('Jonas', 'project_manager'), environment.createUser('Lena', 'member')]);
}

describe('the meeting calendar', () => {
  it('schedules and moves meetings by keyboard alone', async () => {
    const [jonas, lena] = await createTeam();
    const { _id: review } = await schedule(jonas, plan(2, '10:00', '11:00', { participants: [lena.id] }));
    const user = await environment.openPage(jonas, weekPath);
    const { page } = user;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await event(user, 'Design review').waitFor();
    // Moves into the grid with Tab, and to Monday at two with the arrow keys.
    await page.getByRole('radio', { name: 'Week' }).focus();
    await press('Tab');
    await waitFor(async () => (await getFocusedName(user)).includes('Sunday'), {
      description: 'the grid to have focus',
    });
    await press('Home', 'ArrowRight');
    for (let half = 0; half < 28; half += 1) await press('ArrowDown');
    expect(await getFocusedName(user)).toMatch(/^Monday.*14:00, free, schedule a meeting$/);
    await press('Enter');
    const form = dialog(user, 'Schedule New Meeting');
    await form.getByLabel('Title').fill('Kick-off');
    const [start, end] = ['Start time', 'End time'].map((name) => form.getByRole('combobox', { name }));
    expect([await start?.inputValue(), await end?.inputValue()]).toEqual(['14:00', '15:00']);
    // Accepts times as users type them.
    await start?.fill('2:30 pm');
    await press('Tab');
    await end?.fill('4');
    await press('Tab');
    expect([await start?.inputValue(), await end?.inputValue()]).toEqual(['14:30', '16:00']);
    await form.getByRole('button', { name: /Type/ }).focus();
    await press('Enter', 'ArrowDown', 'Enter');
    await form.getByLabel(/Meeting link/).fill('https://meet.example.org/kick-off');
    await pick(form, 'Participants', [lena.name]);
    await form.getByRole('button', { name: 'Schedule Meeting' }).focus();
    await press('Enter');
    await toast(page, 'Meeting created successfully! Invitations sent to participants.');
    await event(user, 'Kick-off').waitFor();
    expect(await accessibleNameOf(event(user, 'Kick-off'))).toMatch(/Monday.*14:30 to 16:00/);

    // Moves Tuesday's review by a day and half an hour, and extends it by half an hour.
    await event(user, 'Design review').focus();
    await press('Space');
    await waitFor(async () => /^Picked up Design review, Tuesday, .*10:00 to 11:00/.test(await announcement(user)), {
      description: 'the pick-up to be announced',
    });
    await press('ArrowRight', 'ArrowDown', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await waitFor(async () => /^Wednesday, .*10:30 to 12:00$/.test(await announcement(user)), {
      description: 'the new time to be announced',
    });
    await captureScreenshot(user, 'calendar-moving');
    await press('Enter');
    await confirmMove(user, 'Cancel');
    // Focus returns to the meeting at its original position, not at the drop target.
    await waitFor(async () => /^Design review, Tuesday/.test(await getFocusedName(user)), {
      description: 'the meeting to have focus again',
    });
    await press('Space', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Enter');
    await confirmMove(user, 'Move Meeting');
    await toast(page, 'Meeting updated successfully');
    expect(await read(jonas, review)).toMatchObject({ startTime: berlin(3, '10:30'), endTime: berlin(3, '12:00') });
    await waitFor(async () => /^Design review, Wednesday/.test(await getFocusedName(user)), {
      description: 'the moved meeting to have focus',
    });

    // Escape cancels a move, and no request is sent.
    await press('Space', 'ArrowLeft', 'Escape');
    await waitFor(async () => /is back on Wednesday, .*10:30/.test(await announcement(user)), {
      description: 'the meeting to be back',
    });
    expect(await getFocusedName(user)).toMatch(/^Design review, Wednesday/);
    expect(await read(jonas, review)).toMatchObject({ startTime: berlin(3, '10:30') });

    // Closing details returns focus, and shortcuts switch the view.
    await press('Enter');
    await dialog(user, 'Design review').waitFor();
    await press('Escape');
    await waitFor(async () => /^Design review/.test(await getFocusedName(user)), {
      description: 'the meeting to have focus again',
    });
    await press('m');
    await page.getByRole('application', { name: /^Month/ }).waitFor();
    await waitFor(async () => (await getFocusedName(user)).includes('Wednesday'), {
      description: 'the month to have focus',
    });
    // The month view shows nothing of the previous view before it has loaded.
    await event(user, 'Design review').waitFor();
    await press('Enter');
    expect(await getFocusedName(user)).toMatch(/^Design review, Wednesday/);
    await press('Space', 'ArrowRight', 'ArrowDown', 'ArrowUp');
    // A week later may be in the next month, which has to load.
    await event(user, 'Design review').waitFor();
    await press('Enter');
    await confirmMove(user, 'Move Meeting');
    await toast(page, 'Meeting updated successfully');
    expect(await read(jonas, review)).toMatchObject({ startTime: berlin(4, '10:30'), endTime: berlin(4, '12:00') });
    await waitFor(async () => /^Design review, Thursday/.test(await getFocusedName(user)), {
      description: 'the moved meeting to have focus',
    });
    await press('a');
    await page.getByRole('region', { name: /^Agenda/ }).waitFor();
    await press('d');
    await page.getByRole('application', { name: /^Day/ }).waitFor();
    await press('t');
    await page.getByRole('button', { name: /, today$/ }).waitFor();
    await press('j', 'k', 'w');
    await page.getByRole('application', { name: /^Week/ }).waitFor();
  });

  it('moves meetings by mouse, asks which occurrences of a series to move, and reverts a rejected move', async () => {
    const [jonas, lena] = await createTeam();
    const { _id: review } = await schedule(jonas, plan(2, '10:00', '11:00', { participants: [lena.id] }));
    const daily = { isRecurring: true, recurringFrequency: 'daily', recurringEndDate: dayOf(6) };
    const series = await schedule(
      jonas,
      plan(1, '09:00', '09:30', { title: 'Stand-up', ...daily, participants: [lena.id] }),
    );
    const user = await environment.openPage(jonas, weekPath);
    const { page } = user;
    const drag = async (block: Locator, by: { x?: number; y?: number }, gripRatio = 0.3) => {
      const box = await block.boundingBox();
      if (!box) throw new Error('No bounding box');
      const [x, y] = [box.x + box.width / 2, box.y + box.height * gripRatio];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + (by.x ?? 0) / 2, y + (by.y ?? 0) / 2, { steps: 3 });
      await page.mouse.move(x + (by.x ?? 0), y + (by.y ?? 0), { steps: 3 });
      await page.mouse.up();
    };
    await event(user, 'Design review').waitFor();
    const column = (await page.locator('[data-day]').first().boundingBox())?.width ?? 0;
    // An hour is 48 pixels high.
    await drag(event(user, 'Design review'), { x: column, y: 48 });
    // A move that would reset RSVPs asks first and can be undone.
    await page.getByText('1 participant will be notified and asked to respond again.').waitFor();
    await confirmMove(user, 'Cancel');
    expect(await accessibleNameOf(event(user, 'Design review'))).toContain('Tuesday');
    await drag(event(user, 'Design review'), { x: column, y: 48 });
    await confirmMove(user, 'Move Meeting');
    const undo = page.locator('[data-toast]').getByRole('button', { name: 'Undo' });
    await undo.evaluate((button: HTMLElement) => button.click());
    await toast(page, 'Meeting moved back');
    expect(await read(jonas, review)).toMatchObject({ startTime: berlin(2, '10:00'), endTime: berlin(2, '11:00') });
    await drag(event(user, 'Design review'), { x: column, y: 48 });
    await confirmMove(user, 'Move Meeting');
    await toast(page, 'Meeting updated successfully');
    expect(await read(jonas, review)).toMatchObject({ startTime: berlin(3, '11:00'), endTime: berlin(3, '12:00') });
    await drag(event(user, 'Design review'), { y: 24 }, 0.97);
    await confirmMove(user, 'Move Meeting');
    await toast(page, 'Meeting updated successfully');
    expect(await read(jonas, review)).toMatchObject({ startTime: berlin(3, '11:00'), endTime: berlin(3, '12:30') });
    expect(await page.getByRole('dialog').count()).toBe(0);

    // In the month view, two clicks schedule a meeting.
    await page.keyboard.press('m');
    const later = new Date(sunday.getTime() + 5 * DAY_MS);
    const formatInBerlin = (options: Intl.DateTimeFormatOptions) =>
      later.toLocaleDateString('en-GB', { ...options, timeZone: 'UTC' });
    const text = `${formatInBerlin({ weekday: 'long' })}, ${formatInBerlin({ day: 'numeric', month: 'long' })}`;
    const cell = await page.getByRole('group', { name: new RegExp(text) }).boundingBox();
    if (!cell) throw new Error('No bounding box for the day');
    await page.mouse.dblclick(cell.x + cell.width / 2, cell.y + cell.height - 8);
    const form = dialog(user, 'Schedule New Meeting');
    await form.waitFor();
    expect(await form.getByRole('combobox', { name: 'Start time' }).inputValue()).toBe('09:00');
    expect(await form.getByRole('group', { name: 'Date' }).innerText()).toContain(String(later.getUTCDate()));
    await page.keyboard.press('Escape');
    // The dialog closes by navigating back, and receives key presses until then.
    await form.waitFor({ state: 'detached' });
    await page.keyboard.press('w');
    // The month view also shows stand-ups until it is replaced.
    await page.getByRole('application', { name: /^Week/ }).waitFor();
    await event(user, 'Stand-up').nth(2).waitFor();

    await drag(event(user, 'Stand-up').nth(2), { y: 48 });
    const confirmation = page.getByRole('alertdialog', { name: 'Move repeating meeting' });
    await confirmation.getByText('This and following meetings').click();
    await confirmation.getByRole('button', { name: 'Move Meeting' }).click();
    await toast(page, 'Meeting updated successfully');
    const times = async () =>
      (
        await expectStatus(lena.call<{ data: Meeting[] }>('GET', `/meetings?from=${berlin(0, '00:00')}&limit=100`), 200)
      ).data
        .filter(({ title }) => title === 'Stand-up')
        .map(({ startTime }) => startTime);
    expect(await times()).toEqual([
      series.startTime,
      berlin(2, '09:00'),
      ...[3, 4, 5, 6].map((weekday) => berlin(weekday, '10:00')),
    ]);

    // Another user changes the meeting without a live update to this browser. The server rejects the move, which is
    // reverted with the reason.
    await page.route('**/socket.io/**', (route) => route.abort());
    await page.route('**/api/meetings/*', async (route) => {
      await expectStatus(
        environment.admin.call('PATCH', `/meetings/${review}`, { location: `Room ${Date.now()}` }),
        200,
      );
      await route.continue();
    });
    await drag(event(user, 'Design review'), { y: -96 });
    await confirmMove(user, 'Move Meeting');
    await page.locator('[data-toast]').waitFor();
    await waitFor(async () => (await announcement(user)).includes('Design review was moved back'), {
      description: 'the revert to be announced',
    });
    expect(await accessibleNameOf(event(user, 'Design review'))).toContain('11:00 to 12:30');
    expect(await read(jonas, review)).toMatchObject({ startTime: berlin(3, '11:00') });
  });

  it("shows only when colleagues are busy, and follows others' changes", async () => {
    const [jonas, lena] = await createTeam();
    const petra = await environment.createUser('Petra', 'project_manager');
    const secret = await schedule(
      petra,
      plan(2, '10:00', '11:00', { title: 'A secret review', participants: [lena.id] }),
    );
    const [watcher, participant] = await Promise.all([
      environment.openPage(jonas, `${weekPath}&of=person&person=${lena.id}`),
      environment.openPage(lena, weekPath),
    ]);
    const busy = watcher.page.getByRole('application').getByRole('button', { name: /^Busy,/ });
    await busy.waitFor();
    expect(await accessibleNameOf(busy)).toMatch(/^Busy, Tuesday, .*, 10:00 to 11:00$/);
    expect(await watcher.page.content()).not.toContain('secret');
    await event(participant, 'A secret review').waitFor();
    await expectStatus(
      petra.call('PATCH', `/meetings/${secret._id}`, { startTime: berlin(4, '10:00'), endTime: berlin(4, '11:00') }),
      200,
    );
    await participant.page.getByRole('button', { name: /^A secret review, Thursday/ }).waitFor();
    // Members can view the meeting, and an announcement explains why they cannot move it.
    await event(participant, 'A secret review').focus();
    await participant.page.keyboard.press('Space');
    await waitFor(
      async () => (await announcement(participant)) === 'Only Admin and Project Manager can edit meetings',
      {
        description: 'the reason to be announced',
      },
    );
  });

  it('handles the time zone of Nepal and a day of 25 hours, and names the time zone of a meeting in another one', async () => {
    const jonas = await environment.createUser('Jonas', 'project_manager');
    const october = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 9, 31));
    const clockChangeDay = new Date(october.getTime() - october.getUTCDay() * DAY_MS).toISOString().slice(0, 10);
    const halfHour = (title: string, at: string) => {
      const startTime = `${clockChangeDay}T${at}:00.000Z`;
      const endTime = new Date(Date.parse(startTime) + 1_800_000).toISOString();
      return {
        ...plan(0, '09:00', '10:00', { title, participants: [jonas.id], timezone: 'Europe/Berlin' }),
        startTime,
        endTime,
      };
    };
    // Half past two in Berlin, and again an hour later.
    await schedule(jonas, halfHour('First', '00:30'));
    await schedule(jonas, halfHour('Second', '01:30'));
    const { _id: morning } = await schedule(jonas, halfHour('Morning', '09:00'));
    const user = await environment.openPage(jonas, `/meetings/calendar?view=week&date=${clockChangeDay}`);
    const { page } = user;
    const top = async (title: string) => (await event(user, title).boundingBox())?.y ?? Number.NaN;
    await event(user, 'Second').waitFor();
    expect((await top('Second')) - (await top('First'))).toBeCloseTo(48, 0);
    expect((await top('Morning')) - (await top('Second'))).toBeCloseTo(7.5 * 48, 0);
    expect(await page.locator(`[data-day="${clockChangeDay}"]`).evaluate((column) => column.clientHeight)).toBe(
      25 * 48,
    );

    // A typed ambiguous time means its first occurrence, and the form says so. A selection in the calendar keeps its
    // own.
    const form = dialog(user, 'Schedule New Meeting');
    const startField = form.getByRole('combobox', { name: 'Start time' });
    await event(user, 'Second').focus();
    await page.keyboard.press('ArrowUp');
    expect(await getFocusedName(user)).toMatch(/^Sunday.*02:00, free, schedule a meeting$/);
    await page.keyboard.press('Enter');
    await form.getByText('The clocks go back: 02:00 occurs twice, and this is the second one').waitFor();
    await startField.fill('2:15');
    await page.keyboard.press('Tab');
    await form.getByText('02:15 occurs twice, and this is the first one').waitFor();

    const nepal = await openSignedInPage(environment.browser, jonas, {
      address: `${environment.system.url}/meetings/calendar?view=week&date=${clockChangeDay}`,
      savesData: true,
      timezone: 'Asia/Kathmandu',
    });
    await event(nepal, 'Morning').waitFor();
    expect(await accessibleNameOf(event(nepal, 'Morning'))).toMatch(
      /14:45 to 15:15, .*10:00 to 10:30 in Europe\/Berlin/,
    );
    await nepal.page.getByText('GMT+5:45', { exact: true }).waitFor();
    await event(nepal, 'Morning').focus();
    for (const key of ['Space', 'ArrowDown', 'Enter']) await nepal.page.keyboard.press(key);
    await toast(nepal.page, 'Meeting updated successfully');
    expect(await read(jonas, morning)).toMatchObject({ startTime: `${clockChangeDay}T09:15:00.000Z` });
  });

  it('moves a meeting to Past when it ends', async () => {
    const jonas = await environment.createUser('Jonas', 'project_manager');
    const user = await environment.openPage(jonas, '/meetings');
    const { page } = user;
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const body = {
      ...plan(0, '09:00', '10:00', { title: 'Short', participants: [jonas.id] }),
      startTime: at(-60),
      endTime: at(6),
    };
    await schedule(jonas, body);
    await page.getByRole('article', { name: 'Short' }).waitFor();
    await page.getByRole('tab', { name: /^Past\s*1$/ }).waitFor();
    await page.getByText('No upcoming meetings').waitFor();

    // On a phone the list and the calendar start in the upper half of the screen.
    await page.setViewportSize({ width: 390, height: 844 });
    const topOf = async (locator: Locator) => (await locator.boundingBox())?.y ?? Number.NaN;
    expect(await topOf(page.getByRole('tab', { name: /^Upcoming/ }))).toBeLessThan(422);
    await page.getByRole('button', { name: 'Pick a day' }).click();
    await page.getByRole('heading', { name: 'Meeting Calendar' }).waitFor();
    await page.getByRole('link', { name: 'Calendar', exact: true }).click();
    const grid = page.getByRole('application');
    await grid.waitFor();
    expect(await topOf(grid.locator('..'))).toBeLessThan(422);
  });

  it('stays smooth with a thousand meetings in a month: one request, few elements, and a drag redraws nothing else', async () => {
    const [jonas, lena] = await createTeam();
    const first = new Date(Date.UTC(sunday.getUTCFullYear(), sunday.getUTCMonth() + 1, 1, 8));
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
    const at = (minutes: number) => new Date(first.getTime() + minutes * 60_000).toISOString();
    const kickoff = {
      title: 'Kickoff',
      type: 'standup',
      timezone: 'Europe/Berlin',
      meetingLink: 'https://meet.example.org/kickoff',
      participants: [lena.id],
    };
    for (let count = 0; count < 36; count += 1) {
      const body = {
        title: `Daily ${count}`,
        type: 'standup',
        startTime: at((count % 12) * 45),
        endTime: at((count % 12) * 45 + 60),
        timezone: 'Europe/Berlin',
        meetingLink: 'https://meet.example.org/daily',
        participants: [lena.id],
        isRecurring: true,
        recurringFrequency: 'daily',
        recurringEndDate: last,
      };
      await schedule(jonas, body);
    }
    const middleOfNext = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 15, 8)).toISOString();
    const user = await environment.openPage(jonas, `/meetings/calendar?view=month&date=${middleOfNext.slice(0, 10)}`);
    const { page } = user;
    // The changes of all other meetings arrive before that of this one.
    await schedule(jonas, { ...kickoff, startTime: middleOfNext, endTime: middleOfNext.replace('T08', 'T09') });
    await event(user, kickoff.title).waitFor();
    await page.evaluate(() => performance.clearResourceTimings());
    await page.keyboard.press('k');
    const moreButtons = page.getByRole('button', { name: /^\+\d+ more$/ });
    await page.getByRole('button', { name: '+33 more' }).nth(27).waitFor();
    const requestCount = await page.evaluate(
      () =>
        performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/meetings/calendar')).length,
    );
    expect(requestCount).toBe(1);
    expect(await page.getByRole('application').locator('[data-event]').count()).toBeLessThan(200);
    expect(await moreButtons.first().innerText()).toBe('+33 more');

    await page.keyboard.press('w');
    await event(user, 'Daily 0').first().waitFor();
    const block = event(user, 'Daily 11').first();
    await block.scrollIntoViewIfNeeded();
    await page.evaluate(watchFrames);
    const box = await block.boundingBox();
    if (!box) throw new Error('No bounding box');
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    for (let step = 1; step <= 60; step += 1) await page.mouse.move(box.x + 20, box.y + 10 - step * 3);
    const { redrawn, ...figures } = await page.evaluate(readFrames);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    // Only the dragged block is redrawn, regardless of the distance.
    expect(redrawn).toBeLessThanOrEqual(2);
    for (const key of ['j', 'k', 'm', 'w', 'd', 'a', 'm']) {
      await page.keyboard.press(key);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    saveFigures('calendar-figures', {
      meetings: 36 * Number(last.slice(8)),
      drag: figures,
      turning: await page.evaluate(readFrames),
    });
    await captureScreenshot(user, 'calendar-thousand');
  });
});

type RecordedFrames = { frames: number[]; tasks: number[]; redrawn: Set<Element> };

/** Records frame and task durations and redrawn meetings from now on. */
function watchFrames(): void {
  const recorded: RecordedFrames = { frames: [], tasks: [], redrawn: new Set() };
  Object.assign(globalThis, { recorded });
  let previousTime = performance.now();
  const recordFrame = (now: number) => {
    recorded.frames.push(now - previousTime);
    previousTime = now;
    requestAnimationFrame(recordFrame);
  };
  requestAnimationFrame(recordFrame);
  new PerformanceObserver((list) => recorded.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const block = target instanceof Element ? target.closest('[data-event]') : null;
      if (block) recorded.redrawn.add(block);
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** Returns and resets the recorded durations in milliseconds. */
function readFrames() {
  const { recorded } = globalThis as unknown as { recorded: RecordedFrames };
  const frames = recorded.frames.splice(0).toSorted((a, b) => a - b);
  const tasks = recorded.tasks.splice(0);
  return {
    frames: frames.length,
    p95: Math.round(frames[Math.floor(frames.length * 0.95)] ?? 0),
    longest: Math.round(frames.at(-1) ?? 0),
    longTasks: tasks.length,
    longestTask: Math.round(Math.max(0, ...tasks)),
    redrawn: recorded.redrawn.size,
  };
}
