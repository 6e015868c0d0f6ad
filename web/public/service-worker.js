// Shows push messages while Atrium is closed or in the background. It handles no requests and caches nothing, so that it
// can never serve old code or data.

/** WebKit ends subscriptions of workers that show nothing. */
const ALWAYS_SHOWS = /AppleWebKit/.test(navigator.userAgent) && !/Chrome\//.test(navigator.userAgent);

const listWindows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

const setBadge = (count) => Promise.resolve(self.navigator.setAppBadge?.(count)).catch(() => undefined);

async function show({ tag, title, text, path, at }) {
  const windows = await listWindows();
  // The user sees the bell.
  if (!ALWAYS_SHOWS && windows.some(({ focused }) => focused)) return;
  await self.registration.showNotification(title, {
    tag,
    body: text,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    timestamp: Date.parse(at),
    data: { path },
  });
}

async function withdraw({ tag }) {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close();
}

/** `PushContent` of proto-events/src/notices/push-content.ts. */
async function receive(content) {
  await Promise.all([content.action === 'show' ? show(content) : withdraw(content), setBadge(content.unreadCount)]);
}

/** A page that is loading, frozen, or outside of the app does not answer. Browsers open no window long after a click. */
const ANSWER_MS = 500;

function answers(page) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), ANSWER_MS);
    page.postMessage({ type: 'can-open' }, [port2]);
  }).finally(() => port1.close());
}

/** An open page goes there itself, so that nothing is lost that the user has not saved. */
async function open(path) {
  const pages = (await listWindows()).sort((a, b) => Number(b.focused) - Number(a.focused));
  const answered = await Promise.all(pages.map(answers));
  const page = pages.find((_, index) => answered[index]);
  if (!page) return self.clients.openWindow(path);
  page.postMessage({ type: 'open', path });
  return page.focus();
}

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => event.waitUntil(receive(event.data.json())));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});
