import { beforeAll, describe, expect, it } from '@jest/globals';
import { uploadForm } from '../workspace/builders.ts';
import { type Client, expectStatus, send } from '../workspace/workspace.ts';
import { type BrowserUser, dialog } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { waitUntilSettled } from './screens/viewer-page.ts';
import { findDirectionViolations, findHorizontalScroll } from './screens/violations.ts';
import { openSignedInPage, setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const HEBREW = 'שלום עולם! מתי הפגישה?';
const INVITED = 'דנה לוי';
const FILE = 'גיליון evil – Grüße.txt';
/** Texts written by users, and the initials derived from them. */
const USER_TEXTS = [HEBREW, INVITED, 'דל', FILE];
const TEAMS = `https://teams.microsoft.com/l/meetup-join/${'19%3ameeting_NmY2'.repeat(12)}`;
const HOUR_MS = 3_600_000;

/** For each locale, the format of dates, the displayed time 13:30, and ways of typing it. */
const LOCALES = [
  { locale: 'en-US', date: /November \d+/, shown: '1:30 PM', typed: ['1:30 PM', '13:30'] },
  { locale: 'de-DE', date: /\d+ [A-Z][a-z]+/, shown: '13:30', typed: ['13:30', '13 Uhr 30'] },
  { locale: 'fa-IR', date: /\d+ [A-Z][a-z]+/, shown: '13:30', typed: ['۱۳:۳۰', '۱:۳۰ ب.ظ.'] },
  { locale: 'ar-EG', date: /\d+ [A-Z][a-z]+/, shown: '1:30 PM', typed: ['١:٣٠ م'] },
  { locale: 'th-TH', date: /\d+ [A-Z][a-z]+/, shown: '13:30', typed: ['๑๓:๓๐', '13 นาฬิกา 30'] },
  { locale: 'ja-JP', date: /[A-Z][a-z]+ \d+/, shown: '13:30', typed: ['午後1:30', '13時30分', '１３：３０'] },
  { locale: 'he-IL', date: /\d+ [A-Z][a-z]+/, shown: '13:30', typed: ['13:30'] },
] as const;

const SCREENS = [
  ['/', 'Team Dashboard'],
  ['/meetings', 'Meetings'],
  ['/meetings/calendar?view=month', 'Meetings'],
  ['/chat', 'Team Chat'],
  ['/settings', 'Account Settings'],
  ['/user-management?tab=invitations', 'User Management'],
  ['/documents', 'Document Hub'],
] as const;

beforeAll(async () => {
  const { admin } = environment;
  const project = {
    ...{ name: 'Portal', description: 'Portal', projectManager: admin.id, priority: 'high', status: 'in-progress' },
    ...{ deadline: new Date(Date.now() + 240 * HOUR_MS).toISOString(), budget: 1250 },
  };
  const member = await environment.createUser('Lena', 'member');
  const start = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
  const meeting = {
    ...{ title: 'Planning', type: 'team-meeting', meetingLink: TEAMS, location: TEAMS, participants: [member.id] },
    ...{ startTime: new Date(start).toISOString(), endTime: new Date(start + HOUR_MS).toISOString() },
  };
  const [{ _id: conversation }] = await Promise.all([
    expectStatus(
      admin.call<{ _id: string }>('POST', '/chat/conversations', { type: 'direct', participants: [member.id] }),
      201,
    ),
    expectStatus(admin.call('POST', '/projects', project), 201),
    expectStatus(admin.call('POST', '/meetings', meeting), 201),
    inviteAndUpload(admin),
  ]);
  await expectStatus(admin.call('POST', '/chat/messages', { conversation, content: HEBREW, type: 'text' }), 201);
});

/** Creates a user and a file with right-to-left names. */
async function inviteAndUpload(admin: Client): Promise<void> {
  const [firstName = '', lastName = ''] = INVITED.split(' ');
  const email = 'dana@example.org';
  await expectStatus(admin.call('POST', '/auth/invite', { email, firstName, lastName, role: 'member' }), 201);
  const headers = { authorization: `Bearer ${admin.token}` };
  const body = uploadForm('plan.txt', { name: FILE });
  await expectStatus(send(`${environment.system.url}/api/documents/upload`, { method: 'POST', headers, body }), 201);
}

/** Lists words of a locale's dates and relative times that an English screen must not contain. */
function findForeignTexts(locale: string): string[] {
  const dates = [
    { month: 'long' },
    { month: 'short' },
    { weekday: 'long' },
    { weekday: 'short' },
    { dayPeriod: 'long' },
  ] as const;
  const days = [...Array(12).keys()].map((month) => new Date(2026, month, month + 1, month * 2));
  const parts = (options: Intl.DateTimeFormatOptions, language: string) =>
    days.flatMap((day) => new Intl.DateTimeFormat(language, options).formatToParts(day));
  const words = (language: string) => [
    ...dates.flatMap((options) => parts(options, language).map(({ value }) => value)),
    ...[-1, 1, 5].flatMap((by) =>
      (['day', 'minute', 'hour'] as const).map((unit) =>
        new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(by, unit),
      ),
    ),
  ];
  const english = new Set(words('en-US'));
  return [...new Set(words(locale))].filter((word) => /\p{L}{3}/u.test(word) && !english.has(word));
}

/** Finds texts on a page that are neither English nor written by users. */
async function findTextViolations({ page }: BrowserUser, locale: string): Promise<string[]> {
  const bodyText = await page.locator('body').innerText();
  const text = USER_TEXTS.reduce((rest, userText) => rest.replaceAll(userText, ''), bodyText).replaceAll(
    /[\u2068\u2069]/g,
    '',
  );
  const scripts = text.match(/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+/gu) ?? [];
  const digits = text.match(/(?![0-9])\p{Nd}+/gu) ?? [];
  const words = text.split(/[^\p{L}.]+/u);
  return [...scripts, ...digits, ...findForeignTexts(locale).filter((word) => words.includes(word))];
}

async function openScreen({ page, base }: BrowserUser, [path, heading]: (typeof SCREENS)[number]): Promise<void> {
  await page.goto(`${base}${path}`);
  await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
  await waitUntilSettled(page);
}

describe.each(LOCALES)('in a browser with locale $locale', ({ locale, date, shown, typed }) => {
  const openUserPage = () =>
    openSignedInPage(environment.browser, environment.admin, {
      address: environment.system.url,
      savesData: true,
      locale,
    });

  it(`shows every screen in English with dates in the order of ${locale}, and none wider than a phone`, async () => {
    const user = await openUserPage();
    const errors: string[] = [];
    for (const screen of SCREENS) {
      await user.page.setViewportSize({ width: 390, height: 844 });
      await openScreen(user, screen);
      const violations = [
        ...(await findTextViolations(user, locale)),
        ...(await findHorizontalScroll(user.page)),
        ...(await findDirectionViolations(user.page)),
      ];
      errors.push(...violations.map((error) => `${screen[0]}: ${error}`));
      if (screen[0] === '/') expect(await user.page.locator('main').innerText()).toMatch(date);
      if (locale === 'fa-IR') await captureThemesAndSizes(user, `${locale}-${screen[0].replaceAll(/[^a-z]+/g, '-')}`);
    }
    expect(errors).toEqual([]);
  });

  it(`parses times, dates, and numbers as typed in ${locale}`, async () => {
    const user = await openUserPage();
    const { page } = user;
    await page.goto(`${user.base}/meetings?schedule=1`);
    const form = dialog(user, 'Schedule New Meeting');
    const field = form.getByRole('combobox', { name: 'Start time' });
    for (const text of typed) {
      await field.fill(text);
      await field.press('Tab');
      expect([text, await field.inputValue()]).toEqual([text, shown]);
    }
    await field.press('ArrowDown');
    await page.getByRole('option', { name: shown, exact: true }).waitFor();
    await page.keyboard.press('Escape');
    const digits = new Intl.NumberFormat(locale, { useGrouping: false });
    await form.getByRole('spinbutton', { name: 'day, Date', exact: true }).click();
    for (const digit of [...digits.format(15)]) await page.keyboard.insertText(digit);
    expect(await form.getByRole('spinbutton', { name: 'day, Date', exact: true }).innerText()).toBe('15');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.goto(`${user.base}/progress`);
    await page.getByRole('button', { name: 'New Project' }).click();
    const budget = dialog(user, 'Create New Project').getByLabel('Budget (optional)');
    await budget.click();
    for (const digit of [...digits.format(1250)]) await page.keyboard.insertText(digit);
    await budget.press('Tab');
    expect(await budget.inputValue()).toBe('1,250');
  });
});
