import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Role } from '@atrium/proto-events/people';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import {
  createWatchedContext,
  type System,
  startSystemIn,
  type WatchedContext,
} from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import type { Browser, Response } from 'playwright-core';
import { buildProject } from '../workspace/builders.ts';
import {
  type Client,
  createResource,
  createUser,
  expectStatus,
  getFirstAdministrator,
  waitForConversation,
} from '../workspace/workspace.ts';
import {
  type BrowserUser,
  captureScreenshot,
  choose,
  dialog,
  goTo,
  openUserPage,
  PASSWORD,
  pick,
  pickDay,
  toast,
} from './browser-user.ts';
import { launchChromium } from './chromium.ts';
import { expectLive } from './live.ts';
import { findLink, waitForEmail } from './mailbox.ts';
import { checkBrowsersPerTest, openSignedInPage } from './test-environment.ts';

const FILE_MB = 50;

let watchedContext: WatchedContext;
let system: System;
let browser: Browser;
let firstStartMs: number;
const folder = mkdtempSync(joinPath(tmpdir(), 'atrium-day-'));

beforeAll(async () => {
  watchedContext = createWatchedContext();
  const startedAt = performance.now();
  system = await startSystemIn(watchedContext);
  firstStartMs = performance.now() - startedAt;
  browser = await launchChromium();
});

// Open connections would keep the run from ending.
const proxies = closeAfterEach();

afterAll(async () => {
  await browser?.close();
  try {
    await system?.stop();
  } finally {
    await watchedContext?.context.reaper.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

const { expectErrors } = checkBrowsersPerTest();

let colleagueCount = 0;

/** Creates a manager and a member for one test, and returns them with the administrator. */
async function createColleagues(): Promise<{ admin: Client; manager: Client; member: Client }> {
  const admin = await getFirstAdministrator(system.url);
  colleagueCount += 1;
  const last = `Brandt${'o'.repeat(colleagueCount)}`;
  const createColleague = (first: string, role: Role) => createUser(system.url, admin, { first, last, role });
  const [manager, member] = await Promise.all([
    createColleague('Jonas', 'project_manager'),
    createColleague('Lena', 'member'),
  ]);
  return { admin, manager, member };
}

const openPage = (client: Client, path = '/'): Promise<BrowserUser> =>
  openSignedInPage(browser, client, { address: `${system.url}${path}` });

/** Creates a project of the colleagues and waits for its conversation. */
async function createProject(
  name: string,
  { admin, manager, member }: Awaited<ReturnType<typeof createColleagues>>,
): Promise<string> {
  const body = buildProject(name, manager, { teamMembers: [member.id], priority: 'high' });
  const id = await createResource(admin, '/projects', body);
  await Promise.all([manager, member].map((client) => waitForConversation(client, name)));
  return id;
}

describe('one working day in three browsers', () => {
  it('sets up an empty workspace, and invites users whose emails lead to a password and the dashboard', async () => {
    const admin = await openUserPage(browser, { name: 'Maya Okafor', email: 'maya@example.org', base: system.url });
    const { page } = admin;
    await page.goto(`${system.url}/`);
    await page.getByRole('heading', { name: 'Set up Atrium' }).waitFor();
    await captureScreenshot(admin, '1a-set-up');
    await page.getByLabel('First name').fill('Maya');
    await page.getByLabel('Last name').fill('Okafor');
    await page.getByLabel('Email').fill(admin.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create administrator account' }).click();
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await captureScreenshot(admin, '1b-empty-dashboard');
    await joinByInvitation(admin, { name: 'Jonas Seidel', role: 'Project Manager', department: 'Engineering' });
    await joinByInvitation(admin, { name: 'Lena Seidel', role: 'Member', department: 'Design' });
  });

  it('creates a project that the others see on their dashboards within a second, with its conversation', async () => {
    const users = await createColleagues();
    const [admin, manager, member] = await Promise.all([
      openPage(users.admin),
      openPage(users.manager),
      openPage(users.member),
    ]);
    for (const { page } of [admin, manager, member])
      await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    const projectName = `Portal of ${users.manager.name}`;
    const { page } = admin;
    await page
      .getByRole('button', { name: /New Project|Create Your First Project/ })
      .first()
      .click();
    const form = dialog(admin, 'Create New Project');
    await form.getByLabel('Project title').fill(projectName);
    await form.getByLabel('Description').fill('New sign-up, billing and help center for all three regions');
    await choose(form, page, 'Priority', 'High');
    await choose(form, page, 'Initial status', 'In Progress');
    await form.getByRole('combobox', { name: /Project manager/ }).fill(users.manager.name);
    await page
      .getByRole('option', { name: new RegExp(users.manager.name) })
      .first()
      .click();
    await pick(form, 'Team members', [users.member.name]);
    await captureScreenshot(admin, '3a-new-project');
    await expectLive(
      { by: page, method: 'POST', path: '/api/projects' },
      () => form.getByRole('button', { name: /Create Project/ }).click(),
      [manager, member].map((user) => user.page.getByText(projectName).first()),
    );
    await toast(page, 'Project created successfully! Team members will receive email notifications.');
    await captureScreenshot(manager, '3b-dashboard-of-the-manager');
    for (const user of [manager, member]) {
      await goTo(user, 'Team Chat');
      await user.page.getByRole('heading', { name: 'Team Chat', exact: true }).waitFor();
      await user.page.getByText(projectName).first().waitFor();
    }
    await waitForEmail(system.mailboxUrl ?? '', member.email, /Portal of/);
  });

  it('delivers chat messages live, counts unread ones, and loads those missed during a network outage', async () => {
    // A broken connection makes the browser log failed requests.
    expectErrors(/net::ERR/, /WebSocket/);
    const users = await createColleagues();
    const projectName = `Talk of ${users.manager.name}`;
    await createProject(projectName, users);
    const proxy = await createFaultyProxy(system.url);
    proxies.push(proxy);
    const [manager, member] = await Promise.all([
      openPage(users.manager, '/chat'),
      openSignedInPage(browser, users.member, { address: `${proxy.url}/chat` }),
    ]);
    for (const { page } of [manager, member]) {
      await page.getByRole('heading', { name: 'Team Chat', exact: true }).waitFor();
      await page.getByText(projectName).first().click();
    }
    await sendMessage(manager, 'Good morning, shall we begin?');
    await member.page.getByText('Good morning, shall we begin?').first().waitFor();
    // Waits, because leaving the conversation before the server knows that the message was read keeps it unread.
    await waitFor(async () => (await member.page.evaluate(unreadCount)) === 0, {
      description: 'the first message to be marked as read',
    });
    await goTo(member, 'Dashboard');
    // Messages that arrive while the conversation is still open are marked as read.
    await member.page.getByRole('heading', { name: 'Team Chat', exact: true }).waitFor({ state: 'detached' });
    await sendMessage(manager, 'The sign-up flow is on staging.');
    const badge = member.page.getByRole('navigation').getByRole('link', { name: /Team Chat/ });
    await waitFor(async () => /1/.test((await badge.textContent()) ?? ''), {
      description: 'the unread badge to appear',
    });
    await captureScreenshot(member, '4a-unread-badge');
    await goTo(member, 'Team Chat');
    await member.page.getByText('The sign-up flow is on staging.').first().waitFor();
    await waitFor(async () => !/\d/.test((await badge.textContent()) ?? ''), {
      description: 'the unread badge to disappear',
    });

    const offline = delay(20_000);
    proxy.cut();
    await member.page.getByText('Disconnected').first().waitFor({ timeout: 15_000 });
    const texts = Array.from({ length: 10 }, (_, index) => `While you were offline, ${index + 1} of 10`);
    for (const text of texts) await sendMessage(manager, text);
    await captureScreenshot(member, '4b-while-offline');
    await offline;
    proxy.restore();
    // The list of conversations may show the last message before the log has all of them.
    const log = member.page.getByRole('region', { name: /^Messages in/ });
    await log.getByText('10 of 10').waitFor({ timeout: 45_000 });
    expect(await log.getByText(/^While you were offline, \d+ of 10$/).allTextContents()).toEqual(texts);
    await captureScreenshot(member, '4c-caught-up');
  });

  it('schedules a meeting that the member receives by email with a calendar part and accepts, and the organizer sees it', async () => {
    const users = await createColleagues();
    const [manager, member] = await Promise.all([openPage(users.manager, '/meetings'), openPage(users.member)]);
    const { page } = manager;
    await page
      .getByRole('button', { name: /Schedule/ })
      .first()
      .click();
    const form = dialog(manager, 'Schedule New Meeting');
    await form.getByLabel('Title').fill('Portal review');
    await fillMeeting(form);
    await pick(form, 'Participants', [users.member.name]);
    await captureScreenshot(manager, '5a-schedule');
    await form.getByRole('button', { name: /^(Schedule|Create)/ }).click();
    await toast(page, 'Meeting created successfully! Invitations sent to participants.');

    const email = await waitForEmail(system.mailboxUrl ?? '', member.email, /Portal review/);
    const calendar = new ICAL.Component(ICAL.parse(email.calendar?.content ?? ''));
    expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST');
    expect(new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined).summary).toBe('Portal review');

    await goTo(member, 'Dashboard');
    await member.page.getByText('Portal review').first().waitFor();
    await captureScreenshot(member, '5b-upcoming');
    await goTo(member, 'Meetings');
    await member.page
      .getByRole('button', { name: /^Accept/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^View/ }).first().click();
    const detail = page.getByRole('dialog');
    await detail
      .getByText(/Accepted/)
      .first()
      .waitFor();
    await waitFor(async () => new RegExp(`${users.member.name}[^]*Accepted`).test((await detail.textContent()) ?? ''), {
      description: 'the response to reach the organizer',
    });
    await captureScreenshot(manager, '5c-response');
  });

  it('transfers a 50 MB file unchanged through Document Hub to the user it is shared with', async () => {
    const users = await createColleagues();
    const [admin, manager, member] = await Promise.all([
      openPage(users.admin, '/documents'),
      openPage(users.manager, '/documents'),
      openPage(users.member, '/documents'),
    ]);
    const bytes = randomBytes(FILE_MB * 1024 * 1024);
    const file = joinPath(folder, 'Sign-up recordings.bin');
    writeFileSync(file, bytes);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const { page } = member;
    await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file);
    const card = (user: BrowserUser) =>
      user.page.getByRole('article').filter({ hasText: 'Sign-up recordings' }).first();
    await card(member).waitFor({ timeout: 60_000 });
    await captureScreenshot(member, '6a-uploaded');

    await manager.page.getByText('No documents yet').waitFor();
    expect(await card(manager).count()).toBe(0);
    await captureScreenshot(manager, '6b-a-stranger-sees-nothing');
    await card(admin).waitFor();
    await captureScreenshot(admin, '6c-the-administrator-sees-it');

    await card(member).getByRole('button', { name: /Share/ }).click();
    const share = page.getByRole('dialog');
    await share.getByRole('option', { name: new RegExp(users.manager.name) }).click();
    await share.getByRole('button', { name: /^Share/ }).click();
    await card(manager).waitFor();
    const [download] = await Promise.all([
      manager.page.waitForEvent('download', { timeout: 30_000 }),
      card(manager)
        .getByRole('button', { name: /Download/ })
        .click(),
    ]);
    const saved = joinPath(folder, 'downloaded.bin');
    await download.saveAs(saved);
    expect(await computeDigest(saved)).toBe(digest);
    expect(
      await card(manager)
        .getByRole('button', { name: /Delete/ })
        .count(),
    ).toBe(0);
  });

  it('rejects lower progress, and ends the session of a deactivated member within five seconds', async () => {
    const users = await createColleagues();
    const projectName = `Rules of ${users.manager.name}`;
    await createProject(projectName, users);
    const [admin, manager, member] = await Promise.all([
      openPage(users.admin, `/user-management?search=${users.member.name}`),
      openPage(users.manager),
      openPage(users.member),
    ]);
    await member.page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await manager.page.getByText(projectName).first().click();
    const edit = dialog(manager, /Edit Project/);
    const slider = edit.getByRole('slider', { name: 'Progress' });
    await slider.focus();
    for (let step = 0; step < 8; step += 1) await slider.press('ArrowRight');
    await edit.getByRole('button', { name: /Update/ }).click();
    await toast(manager.page, 'Project updated successfully');
    await manager.page.getByText(projectName).first().click();
    await edit.waitFor();
    for (let step = 0; step < 4; step += 1) await slider.press('ArrowLeft');
    expect(await slider.inputValue()).toBe('40');
    await captureScreenshot(manager, '7a-refused');
    // The form's minimum is the current progress; the server rejects a request that bypasses the form.
    expect(await manager.page.evaluate(bypassFormToLowerProgress, projectName)).toEqual({
      status: 409,
      message: 'Progress cannot decrease from 40% to 20%',
    });
    await manager.page.keyboard.press('Escape');

    await admin.page
      .getByRole('button', { name: `Actions for ${users.member.name}` })
      .first()
      .click();
    await admin.page.getByRole('menuitem', { name: 'Edit' }).click();
    const user = dialog(admin, 'Edit User');
    await choose(user, admin.page, 'Status', 'Inactive');
    const [changed, ended] = await Promise.all([
      admin.page.waitForResponse(isUserChanged).then(() => performance.now()),
      member.page.waitForURL('**/login', { timeout: 15_000 }).then(() => performance.now()),
      user.getByRole('button', { name: /Save|Update/ }).click(),
    ]);
    expect(ended - changed).toBeLessThan(5_000);
    await captureScreenshot(member, '7b-signed-out');
    await captureScreenshot(admin, '7c-deactivated');
  });

  it('shows everything as before after a restart of the server', async () => {
    expectErrors(/net::ERR/, /WebSocket/, /status of 50[0-9]/);
    const users = await createColleagues();
    const projectName = `Evening of ${users.manager.name}`;
    const project = await createProject(projectName, users);
    await expectStatus(users.manager.call('PATCH', `/projects/${project}`, { progress: 40 }), 200);
    const [admin, manager] = await Promise.all([openPage(users.admin), openPage(users.manager, '/chat')]);
    await manager.page.getByText(projectName).first().click();
    await sendMessage(manager, 'See you tomorrow.');
    await admin.page.getByText(projectName).first().waitFor();
    const port = Number(new URL(system.url).port);
    await system.stop();
    const startedAt = performance.now();
    system = await startSystemIn(watchedContext, { port });
    // Starting with data does not take longer.
    expect(performance.now() - startedAt).toBeLessThan(Math.max(60_000, 2 * firstStartMs));
    // Sessions survive the restart, so no one signs in again.
    await admin.page.goto(`${admin.base}/`);
    await admin.page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await admin.page.getByText(projectName).first().waitFor();
    await admin.page.getByText('40%').first().waitFor();
    await manager.page.reload();
    await manager.page.getByText('See you tomorrow.').first().waitFor({ timeout: 20_000 });
    await captureScreenshot(manager, '8a-the-next-morning');
  });
});

type InvitedUser = { name: string; role: string; department: string };

/** Invites a user in the UI, who follows the link in the email in a separate browser. */
async function joinByInvitation(admin: BrowserUser, { name, role, department }: InvitedUser): Promise<void> {
  const [first = '', last = ''] = name.split(' ');
  const email = `${first}.${last}@example.org`.toLowerCase();
  const user = await openUserPage(browser, { name, email, base: system.url });
  await goTo(admin, 'User Management');
  await admin.page
    .getByRole('button', { name: /Invite/ })
    .first()
    .click();
  const form = dialog(admin, 'Invite Team Member');
  await form.getByLabel('Email').fill(user.email);
  await form.getByLabel('First name').fill(first);
  await form.getByLabel('Last name').fill(last);
  await choose(form, admin.page, 'Role', role);
  await choose(form, admin.page, 'Department', department);
  await form.getByRole('button', { name: /Invit|Send/ }).click();
  await toast(admin.page, 'Invitation sent successfully');
  await captureScreenshot(admin, `2a-invited-${first.toLowerCase()}`);
  await form.getByRole('button', { name: 'Done' }).click();
  await admin.page.getByText(user.email).first().waitFor();

  const invitation = await waitForEmail(system.mailboxUrl ?? '', user.email, /invit/i);
  const link = new URL(findLink(invitation, '/accept-invite'));
  await user.page.goto(`${user.base}${link.pathname}${link.search}`);
  await user.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await user.page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await captureScreenshot(user, `2b-accept-${first.toLowerCase()}`);
  await user.page.getByRole('button', { name: 'Accept Invitation & Join Team' }).click();
  await user.page.getByText(`Your account has been activated. Welcome to the team, ${first}!`).first().waitFor();
  await user.page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
}

/** Types a message, presses Enter once, and waits until the message is in the log. */
async function sendMessage({ page }: BrowserUser, text: string): Promise<void> {
  const input = page.getByRole('textbox', { name: /Message/ });
  await input.fill(text);
  await input.press('Enter');
  expect(await input.inputValue()).toBe('');
  await page
    .getByRole('region', { name: /^Messages in/ })
    .getByText(text, { exact: true })
    .waitFor();
}

async function fillMeeting(form: ReturnType<typeof dialog>): Promise<void> {
  const page = form.page();
  await choose(form, page, 'Type', 'Project review');
  await form.getByLabel(/Meeting link/).fill('https://meet.example.org/portal');
  await pickDay(form, 'Date', 15, { monthsAhead: 1 });
  await choose(form, page, 'Start time', '10:00');
  await choose(form, page, 'End time', '11:00');
}

const isUserChanged = (response: Response): boolean =>
  response.url().includes('/api/users/') && response.request().method() === 'PATCH' && response.status() === 200;

async function computeDigest(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Runs in the page. Lowers the progress with the user's token, bypassing the form. */
async function bypassFormToLowerProgress(name: string): Promise<{ status: number; message: string }> {
  const headers = {
    authorization: `Bearer ${localStorage.getItem('access_token')}`,
    'content-type': 'application/json',
  };
  const { data } = await (await fetch(`/api/projects?search=${name}`, { headers })).json();
  const response = await fetch(`/api/projects/${data[0]._id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ progress: 20 }),
  });
  return { status: response.status, message: (await response.json()).message };
}

/** Runs in the page. Returns the server's unread count of the only conversation. */
async function unreadCount(): Promise<number> {
  const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}` };
  const { data } = await (await fetch('/api/chat/conversations', { headers })).json();
  return data[0].unreadCount;
}
