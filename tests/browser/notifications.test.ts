import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus, PASSWORD } from '../workspace/workspace.ts';
import { captureScreenshot } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import {
  deliverPushes,
  listLocks,
  listShown,
  lookAway,
  type Recorded,
  setUpDevices,
  turnOn,
  waitForShown,
} from './device.ts';

const { environment, pushService, openDevice } = await setUpDevices();

async function createTeam() {
  const [mia, paul] = await Promise.all([
    environment.createUser('Mia', 'member'),
    environment.createUser('Paul', 'project_manager'),
  ]);
  const { project } = await environment.createProject(paul, { teamMembers: [mia.id] });
  await waitFor(async () => (await countUnread(mia)) === 1, { description: 'the notification of the project' });
  await readAll(mia);
  const assign = (title: string) =>
    expectStatus(paul.call<{ _id: string }>('POST', '/tasks', { project, title, assignedTo: mia.id }), 201);
  return { mia, paul, assign };
}

type Unread = { unreadCount: number; data: { _id: string }[] };
const countUnread = async (client: Client) =>
  (await expectStatus(client.call<Unread>('GET', '/notifications'), 200)).unreadCount;
const readAll = (client: Client) => expectStatus(client.call('POST', '/notifications/read', { all: true }), 200);

describe('push messages', () => {
  it('show what happened, open it, and disappear when it was read on another device', async () => {
    const { mia, assign } = await createTeam();
    const device = await openDevice(mia, { hasPush: true });
    const { page } = device;
    await turnOn(device);
    const [subscription] = device.subscriptions;
    if (!subscription) throw new Error('The browser has not subscribed');
    const deliver = await deliverPushes(device, subscription);
    await lookAway(device);
    const { _id: task } = await assign('Draw the plan');
    await deliver(1);
    await waitForShown(page, [/^Paul \S+ assigned you the task: Draw the plan$/]);
    expect(await page.evaluate(() => (globalThis as Recorded).shownCount)).toBe(0);

    // A page outside of the app cannot open anything.
    const outside = await device.context.newPage();
    await outside.goto(new URL('/unsubscribe/unknown', page.url()).href);
    const [worker] = device.context.serviceWorkers();
    await worker?.evaluate(clickNotification);
    await page.waitForURL((url) => url.searchParams.get('task') === task);
    await outside.close();

    await assign('Order the bricks');
    await deliver(2);
    await waitForShown(page, [/Order the bricks$/]);
    await readAll(mia);
    await deliver(subscription.received.length + 1);
    await waitForShown(page, []);
    expect(pushService.rejections).toEqual([]);
  });
});

describe('a browser that two users share', () => {
  it('receives only pushes of the user who is signed in and has turned them on', async () => {
    const { mia, paul, assign } = await createTeam();
    const nora = await environment.createUser('Nora', 'member');
    const device = await openDevice(mia, { hasPush: true });
    const { page } = device;
    await turnOn(device);
    await waitFor(() => device.isSubscribed(), { description: 'the subscription' });

    await page.getByRole('button', { name: /, account$/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('Email').fill(nora.email);
    await waitFor(() => !device.isSubscribed(), { description: 'the end of the subscription' });
    await assign('For nobody');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await page.goto(`${device.base}/settings`);
    await page.getByText('You can turn this off at any time.').waitFor();
    await turnOn(device);
    await waitFor(() => device.subscriptions.length === 2, { description: 'the subscription of the second user' });

    await assign('For nobody either');
    await lookAway(device);
    const body = { type: 'direct', participants: [nora.id] };
    const { _id } = await expectStatus(paul.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
    await expectStatus(paul.call('POST', '/chat/messages', { conversation: _id, content: 'Hello' }), 201);
    const [first, second] = device.subscriptions;
    await waitFor(() => second?.received.length, { description: 'the push of the second user' });
    expect(first?.received).toEqual([]);
    expect(second?.received).toMatchObject([{ content: { title: expect.stringMatching(/^Paul .* sent you$/) } }]);
  });
});

/** Browsers allow a worker to focus a page only after a real click. */
async function clickNotification(): Promise<void> {
  const worker = globalThis as unknown as {
    registration: ServiceWorkerRegistration;
    NotificationEvent: new (type: string, options: { notification: Notification }) => Event;
    dispatchEvent(event: Event): void;
  };
  const [notification] = await worker.registration.getNotifications();
  if (notification) worker.dispatchEvent(new worker.NotificationEvent('notificationclick', { notification }));
}

describe('without push messages', () => {
  it('one of the open tabs shows what is new while none has focus, and withdraws what was read', async () => {
    const { mia, assign } = await createTeam();
    const device = await openDevice(mia, { hasPush: false });
    await turnOn(device);
    const { context, page, base } = device;
    await assign('Seen in the app');
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
    await waitFor(async () => (await page.evaluate(() => (globalThis as Recorded).badge)) === 1, {
      description: 'the badge',
    });
    expect(await listShown(page)).toEqual([]);

    const second = await context.newPage();
    await second.goto(base);
    await second.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
    const waitForFocused = (count: number) =>
      waitFor(
        async () => (await listLocks(page)).filter((name) => name.startsWith('atrium:focused:')).length === count,
        {
          description: `${count} tabs with focus`,
        },
      );
    await waitForFocused(2);
    await lookAway(device);
    await waitForFocused(1);
    await assign('Seen in the second tab');
    for (const tab of [page, second]) await tab.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor();
    await lookAway({ ...device, page: second });
    await waitForFocused(0);
    await assign('Draw the plan');
    await waitForShown(page, [/Draw the plan$/]);
    await second.getByRole('button', { name: 'Notifications, 3 unread' }).waitFor();
    const counts = [page, second].map((tab) => tab.evaluate(() => (globalThis as Recorded).shownCount));
    expect((await Promise.all(counts)).sort()).toEqual([0, 1]);

    await readAll(mia);
    await waitForShown(page, []);
    expect([await countUnread(mia), await page.evaluate(() => (globalThis as Recorded).badge)]).toEqual([0, 0]);
  });
});

const expectFocus = (control: Locator) =>
  waitFor(() => control.evaluate((element) => element === document.activeElement), { description: 'focus' });

describe('“Why did I get this?” in the bell', () => {
  it('leads by keyboard to the channels of the kind, what the conversation notifies of, and following a thread', async () => {
    const { mia, paul } = await createTeam();
    const converse = (fields: object) =>
      expectStatus(
        paul.call<{ _id: string }>('POST', '/chat/conversations', { participants: [mia.id], ...fields }),
        201,
      );
    const write = (client: Client, fields: object) =>
      expectStatus(client.call<{ _id: string }>('POST', '/chat/messages', fields), 201);
    const { _id: launch } = await converse({ type: 'group', title: 'launch' });
    const { _id: thread } = await write(mia, { conversation: launch, content: 'Which day suits you?' });
    const { page } = await environment.openPage(mia);
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    const follow = async (notification: RegExp, setting: string) => {
      await page.getByRole('button', { name: /^Notifications, \d unread$/ }).press('Enter');
      const link = panel.getByRole('link', { name: notification });
      await link.focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Why did I get this?' }).waitFor();
      await page.keyboard.press('Tab');
      await expectFocus(page.getByRole('link', { name: setting }));
      await page.keyboard.press('Enter');
    };
    await write(paul, { conversation: launch, content: 'Thursday', thread });
    await follow(/replied to a thread/, 'Unfollow the thread');
    await expectFocus(page.getByRole('button', { name: 'Unfollow', exact: true }));
    await page.goto(new URL('/', page.url()).href);
    const { _id: direct } = await converse({ type: 'direct' });
    await write(paul, { conversation: direct, content: 'Or Friday?' });
    await follow(/sent you/, 'Change in the conversation');
    await expectFocus(page.getByRole('menuitemradio', { name: 'All messages' }));
  });
});

/** Expects the bar of the inbox in one line, and space between the labels of the tab bar. */
async function expectFitOnNarrowPhone(page: Page): Promise<void> {
  const viewport = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  const [filter, button] = await Promise.all([
    page.getByRole('radiogroup', { name: 'Show' }).boundingBox(),
    page.getByRole('button', { name: 'Mark all as read' }).boundingBox(),
  ]);
  expect(button?.y).toBeLessThan((filter?.y ?? 0) + (filter?.height ?? 0));
  const labels = await page
    .getByRole('navigation', { name: 'Main' })
    .locator('svg + span')
    .evaluateAll((spans) =>
      spans.map((span) => span.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
    );
  const gaps = labels.slice(1).map(({ left }, index) => left - (labels[index]?.right ?? 0));
  expect(gaps).toHaveLength(5);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4);
  if (viewport) await page.setViewportSize(viewport);
}

describe('the inbox', () => {
  it('opens from the bell, filters, and marks as read by keyboard with undo', async () => {
    const { mia, assign } = await createTeam();
    await assign('Draw the plan');
    await assign('تصميم لوحة المعلومات للمشروع الجديد');
    const user = await environment.openPage(mia);
    const { page } = user;
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByRole('link', { name: /Draw the plan/ }).waitFor();
    await captureThemesAndSizes(user, 'notification-panel');
    await panel.getByRole('link', { name: 'Open inbox' }).click();
    const inbox = page.getByRole('main', { name: 'Notifications' });
    const link = inbox.getByRole('link', { name: /Draw the plan/ });
    await link.waitFor();
    await panel.waitFor({ state: 'detached' });
    await captureThemesAndSizes(user, 'inbox');
    await expectFitOnNarrowPhone(page);
    await page.emulateMedia({ media: 'print' });
    expect(await inbox.getByText(/^(Today|just now|\d+ minutes? ago)$/).count()).toBeGreaterThan(0);
    for (const text of await inbox.getByText(/^(Today|just now|\d+ minutes? ago)$/).all())
      expect(await text.isVisible()).toBe(false);
    const printed = await inbox
      .locator('time [data-text]')
      .evaluateAll((texts) => texts.map((text) => getComputedStyle(text, '::after').content));
    expect(new Set(printed.map((text) => /\d{4}, \d+:\d\d/.test(text)))).toEqual(new Set([true]));
    await captureScreenshot(user, 'inbox-print');
    await page.emulateMedia({ media: null });
    await inbox.getByRole('button', { name: 'Why did I get this?' }).first().click();
    await page.getByRole('dialog', { name: 'Why did I get this?' }).getByText('The task is assigned to you.').waitFor();
    await captureThemesAndSizes(user, 'inbox-reason', [1_440]);
    await page.getByRole('link', { name: 'Change in Account Settings' }).click();
    await expectFocus(page.getByRole('checkbox', { name: 'In Atrium: Tasks assigned to you' }));
    await captureThemesAndSizes(user, 'setting-of-notification');
    await page.goBack();
    await link.waitFor();
    await inbox.focus();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await inbox.getByText('Unread', { exact: true }).click();
    await waitFor(async () => (await inbox.getByRole('button', { name: 'Mark as read' }).count()) === 1, {
      description: 'the unread notifications',
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitFor(async () => (await inbox.getByRole('button', { name: 'Mark as read' }).count()) === 2, {
      description: 'the notification that is unread again',
    });
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });
    await captureThemesAndSizes(user, 'inbox-right-to-left');
    await page.goto(`${user.base}/settings#notifications`);
    await page.getByText('Show notifications on this device').waitFor();
    await captureThemesAndSizes(user, 'settings-devices');
  });
});
