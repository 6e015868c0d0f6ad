import type { getPushKey, subscribeToPush, unsubscribeFromPush } from '@atrium/proto-events/http/notices/push';
import { call } from '#lib/api/api.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

const ownSubscription = createUserScopedStore<{ id?: string }>(
  () => ({}),
  (_, { hasSignedOut }) => {
    // A session that somebody else has ended is still notified of why.
    if (!hasSignedOut && ownSubscription.owner() === null) return;
    // The push service may still hold messages for a user who has signed out.
    ending = removeSubscription().catch(() => undefined);
  },
);
let ending: Promise<void> = Promise.resolve();

/** Registers the worker that shows notifications. Browsers update it when they open Atrium. */
export const registerWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });

/**
 * Subscribes this browser to push messages with the current key, or does nothing if it is subscribed. Returns false if
 * the workspace or the browser has no push messages: notifications are then shown while Atrium is open.
 */
export async function subscribeBrowser(registration: ServiceWorkerRegistration): Promise<boolean> {
  await ending;
  const owner = ownSubscription.owner();
  const { publicKey } = await call<typeof getPushKey>('GET /push/key', {});
  if (publicKey === null || !('pushManager' in registration)) return false;
  const subscription = await findSubscription(registration, publicKey);
  if (!subscription) return false;
  const { endpoint = '', keys } = subscription.toJSON();
  const body = { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' }, publicKey };
  const { _id } = await call<typeof subscribeToPush>('POST /push/subscriptions', { body });
  ownSubscription.change(owner, () => ({ id: _id }));
  return true;
}

/** Subscribes again if the key has been rotated. Returns undefined if the push service is unreachable. */
async function findSubscription({ pushManager }: ServiceWorkerRegistration, publicKey: string) {
  const existing = await pushManager.getSubscription();
  if (existing && toBase64Url(existing.options.applicationServerKey) === publicKey) return existing;
  await existing?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }).catch(() => undefined);
}

const toBase64Url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer())))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

async function removeSubscription(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

export async function unsubscribeBrowser(): Promise<void> {
  await removeSubscription();
  const { id } = ownSubscription.get();
  ownSubscription.change(ownSubscription.owner(), () => ({}));
  if (id !== undefined) await call<typeof unsubscribeFromPush>('DELETE /push/subscriptions/:id', { params: { id } });
}
