import { mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';

const WORKER = 'service-worker.js';

/**
 * The browser in an npm package is the headless shell, which denies the permission for notifications, crashes workers
 * that set a badge, and lets every page have focus.
 */
export const lacksNotifications = (): boolean => process.env.ATRIUM_TEST_CHROMIUM_SOURCE === 'bundled';

export const emulateNotifications = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(replaceNotifications);

/** Creates a copy of the built web app whose worker uses emulated notifications. */
export async function createEmulatingWebApp(webRoot: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-web-'));
  const names = (await readdir(webRoot)).filter((name) => !name.startsWith(WORKER));
  await Promise.all(names.map((name) => symlink(join(webRoot, name), join(folder, name))));
  const worker = await readFile(join(webRoot, WORKER), 'utf8');
  await writeFile(join(folder, WORKER), `(${replaceNotifications})();\n${worker}`);
  return folder;
}

type WorkerScope = {
  WindowClient: { prototype: object };
  ExtendableEvent: new (type: string) => Event;
  NotificationEvent: new (type: string, options: { notification: Notification }) => Event;
};

/** Keeps notifications in a cache, because pages and their worker share them. */
function replaceNotifications(): void {
  type Shown = NotificationOptions & { title: string };
  const open = () => caches.open('notifications-in-test');
  const toKey = ({ tag, title }: Shown) => `/${encodeURIComponent(tag || title)}`;
  const registration = ServiceWorkerRegistration.prototype;
  registration.showNotification = async (title, options) => {
    const shown = { ...options, title };
    await (await open()).put(toKey(shown), Response.json(shown));
  };
  registration.getNotifications = async ({ tag } = {}) => {
    const cache = await open();
    const responses = await cache.matchAll();
    const all = await Promise.all(responses.map((response) => response.json() as Promise<Shown>));
    return all
      .filter((shown) => tag === undefined || shown.tag === tag)
      .map((shown) => ({ ...shown, close: () => void cache.delete(toKey(shown)) })) as unknown as Notification[];
  };
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  Notification.requestPermission = async () => 'granted';
  navigator.setAppBadge = async () => undefined;
  const worker = globalThis as Partial<WorkerScope>;
  if (!worker.WindowClient || !worker.ExtendableEvent) return;
  Object.defineProperty(worker.WindowClient.prototype, 'focused', { value: false });
  worker.NotificationEvent = class extends worker.ExtendableEvent {
    readonly notification: Notification;

    constructor(type: string, options: { notification: Notification }) {
      super(type);
      this.notification = options.notification;
    }
  };
}
