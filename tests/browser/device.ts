import { fileURLToPath } from 'node:url';
import { startPushService, type TestPushService, type TestSubscription } from '@atrium/test-kit/push-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Client } from '../workspace/workspace.ts';
import type { BrowserUser } from './browser-user.ts';
import { createEmulatingWebApp, emulateNotifications, lacksNotifications } from './emulate-notifications.ts';
import { setUpTestEnvironment, type TestEnvironment } from './test-environment.ts';

type Setup = { environment: TestEnvironment; pushService: TestPushService };

/** A browser that shows notifications, with the subscriptions that it made. */
export type Device = BrowserUser & { subscriptions: TestSubscription[]; isSubscribed(): boolean };

const WEB_ROOT = fileURLToPath(new URL('../../web/dist/', import.meta.url));

/** Registers the hooks of an environment in which users turn on notifications on their devices. */
export async function setUpDevices() {
  const pushService = await startPushService();
  const env = {
    PUSH_HOSTS: pushService.origin,
    ...(lacksNotifications() && { WEB_ROOT: await createEmulatingWebApp(WEB_ROOT) }),
  };
  const environment = setUpTestEnvironment({ env });
  afterAll(() => pushService.close());
  return {
    environment,
    pushService,
    openDevice: (client: Client, options: { hasPush: boolean }) =>
      openDevice({ environment, pushService }, client, options),
  };
}

/** Records what the page shows on the device, and replaces the push service of the browser's vendor with ours. */
async function openDevice(
  { environment, pushService }: Setup,
  client: Client,
  { hasPush }: { hasPush: boolean },
): Promise<Device> {
  const subscriptions: TestSubscription[] = [];
  let current: Subscribed | undefined;
  const user = await environment.openPage(client);
  const { context, page } = user;
  await context.grantPermissions(['notifications'], { origin: user.base });
  if (lacksNotifications()) await emulateNotifications(context);
  await context.exposeFunction('subscribeInTest', (publicKey: string) => {
    const subscription = pushService.subscribe(publicKey);
    subscriptions.push(subscription);
    const { endpoint, keys } = subscription;
    current = { endpoint, keys, publicKey };
    return current;
  });
  await context.exposeFunction('findSubscribedInTest', () => current ?? null);
  await context.exposeFunction('unsubscribeInTest', () => {
    current = undefined;
  });
  await context.addInitScript(recordDevice, hasPush);
  await page.goto(`${user.base}/settings`);
  return { ...user, subscriptions, isSubscribed: () => current !== undefined };
}

type Subscribed = { endpoint: string; keys: Record<string, string>; publicKey: string };

export type Recorded = typeof globalThis & {
  isViewed: boolean;
  shownCount: number;
  badge: number;
  subscribeInTest: (publicKey: string) => Promise<Subscribed>;
  findSubscribedInTest: () => Promise<Subscribed | null>;
  unsubscribeInTest: () => Promise<void>;
};

function recordDevice(hasPush: boolean): void {
  const recorded = globalThis as Recorded;
  const show = ServiceWorkerRegistration.prototype.showNotification;
  recorded.isViewed = true;
  const { hasFocus } = document;
  document.hasFocus = () => recorded.isViewed && hasFocus.call(document);
  recorded.shownCount = 0;
  ServiceWorkerRegistration.prototype.showNotification = function (...params) {
    recorded.shownCount += 1;
    return show.apply(this, params);
  };
  navigator.setAppBadge = async (count = 0) => {
    recorded.badge = count;
  };
  const toSubscription = ({ endpoint, keys, publicKey }: Subscribed) => {
    const base64 = publicKey.replaceAll('-', '+').replaceAll('_', '/');
    const applicationServerKey = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer;
    const unsubscribe = async () => {
      await recorded.unsubscribeInTest();
      return true;
    };
    return { toJSON: () => ({ endpoint, keys }), unsubscribe, options: { applicationServerKey } };
  };
  PushManager.prototype.getSubscription = async () => {
    const subscribed = await recorded.findSubscribedInTest();
    return subscribed && (toSubscription(subscribed) as unknown as PushSubscription);
  };
  PushManager.prototype.subscribe = async (options) => {
    if (!hasPush) throw new DOMException('Registration failed - push service error', 'AbortError');
    const subscribed = await recorded.subscribeInTest(String(options?.applicationServerKey));
    return toSubscription(subscribed) as unknown as PushSubscription;
  };
}

export async function turnOn({ page }: BrowserUser): Promise<void> {
  await page.getByText('Show notifications on this device').click();
  await page.getByText(/^You’ll see them /).waitFor();
}

async function emulateFocus({ context, page }: BrowserUser, enabled: boolean): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled });
}

export async function lookAt(user: BrowserUser): Promise<void> {
  const { page } = user;
  await emulateFocus(user, true);
  await page.bringToFront();
  await page.evaluate(() => {
    (globalThis as Recorded).isViewed = true;
    window.dispatchEvent(new Event('focus'));
  });
  await page.waitForFunction(() => document.hasFocus());
}

/** Looks at something else: by default, every page of a test has focus. */
export async function lookAway(user: BrowserUser): Promise<void> {
  const { context, page } = user;
  await emulateFocus(user, false);
  const other = await context.newPage();
  await other.bringToFront();
  // Browsers without a window manager may focus a page again when windows open and close.
  await page.evaluate(() => {
    (globalThis as Recorded).isViewed = false;
  });
}

export const listShown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const shown = (await registration?.getNotifications()) ?? [];
    return shown.map(({ title, body }) => `${title}: ${body}`);
  });

export const waitForShown = (page: Page, expected: readonly RegExp[]) =>
  waitForDevice(page, `notifications ${expected.join()}`, async () => {
    const shown = await listShown(page);
    return shown.length === expected.length && expected.every((pattern) => shown.some((text) => pattern.test(text)));
  });

/** Those that the tabs of a browser hold. */
export const listLocks = (page: Page) =>
  page.evaluate(async () => ((await navigator.locks.query()).held ?? []).map(({ name = '' }) => name));

/** Waits for what a page shows on its device. A failure says what the page knows. */
export async function waitForDevice(page: Page, description: string, condition: () => Promise<boolean>) {
  try {
    await waitFor(condition, { description });
  } catch (error) {
    const state = await page.evaluate(() => ({
      title: document.title,
      hasFocus: document.hasFocus(),
      shownCount: (globalThis as Recorded).shownCount,
      badge: (globalThis as Recorded).badge,
    }));
    const [shown, locks] = await Promise.all([listShown(page), listLocks(page)]);
    throw new Error(`${description}: ${JSON.stringify({ ...state, shown, locks })}`, { cause: error });
  }
}

/** Hands messages from the push service to the worker, as the browser does. */
export async function deliverPushes({ context, page, base }: BrowserUser, subscription: TestSubscription) {
  const session = await context.newCDPSession(page);
  const registrationIds: string[] = [];
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
    registrationIds.push(...registrations.map(({ registrationId }) => registrationId)),
  );
  await session.send('ServiceWorker.enable');
  await waitFor(async () => registrationIds.length > 0, { description: 'the worker' });
  let count = 0;
  return async (total: number) => {
    await waitFor(async () => subscription.received.length >= total, { description: `${total} pushes` });
    for (const { content } of subscription.received.slice(count, total))
      await session.send('ServiceWorker.deliverPushMessage', {
        origin: base,
        registrationId: registrationIds[0] ?? '',
        data: JSON.stringify(content),
      });
    count = total;
  };
}
