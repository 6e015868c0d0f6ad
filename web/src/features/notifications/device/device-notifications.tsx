import { decideNotice } from '@atrium/proto-events/notices/decide';
import type { NoticeSettings } from '@atrium/proto-events/notices/kinds';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { notificationPath, notificationSentence } from '#entities/notification/notification-labels.ts';
import { useNotices } from '#entities/notification/use-notices.ts';
import { type Notification, useNotifications } from '#entities/notification/use-notifications.ts';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { setDelivery } from './delivery.ts';
import { isPreferred } from './device-preferences.ts';
import { playSound } from './play-sound.ts';
import { registerWorker, subscribeBrowser } from './push-subscription.ts';
import { repeatPerSession } from './repeat-per-session.ts';
import { joinTabs, type SpeakingTab } from './speaking-tab.ts';

/**
 * Shows new notifications on this device while Atrium is open but not focused, unless push messages do. Mounted while
 * they are on.
 */
export function DeviceNotifications() {
  const { data } = useNotifications();
  const settings = useNotices().data;
  const { timezone } = useCurrentUser();
  const device = useDevice();
  const known = useRef<{ ids: Set<string>; since: string }>(undefined);
  useOpenedPaths();
  useEffect(() => {
    if (!data || !settings || !device) return;
    const unread = data.data.filter(({ readAt }) => readAt === null);
    // Older ones enter the list when others are withdrawn.
    known.current ??= { ids: new Set(data.data.map(({ _id }) => _id)), since: data.data[0]?.createdAt ?? '' };
    const { ids, since } = known.current;
    const isNew = ({ _id, createdAt }: Notification) => !ids.has(_id) && createdAt > since;
    const added = unread.filter(
      (notification) => isNew(notification) && isForDevices(notification, { settings, timezone }),
    );
    for (const { _id } of data.data) ids.add(_id);
    void announce(device, { added, read: data.data.filter(({ readAt }) => readAt !== null) });
  }, [data, settings, timezone, device]);
  return null;
}

type Device = { registration: ServiceWorkerRegistration; isSubscribed: boolean; tab: SpeakingTab };

/** Returns undefined until the worker is registered. */
function useDevice(): Device | undefined {
  const [device, setDevice] = useState<Device>();
  useEffect(() => {
    const tab = joinTabs();
    let isSubscribed = false;
    const renew = async () => {
      const registration = await registerWorker();
      const renewed = await subscribeBrowser(registration).catch(() => undefined);
      // A subscription that could not be renewed may still be valid.
      isSubscribed = renewed ?? isSubscribed;
      setDevice({ registration, isSubscribed, tab });
      setDelivery(isSubscribed ? 'pushed' : 'while-open');
      return renewed !== undefined;
    };
    const stopRenewing = repeatPerSession(() =>
      renew().catch(() => {
        setDelivery('failed');
        return false;
      }),
    );
    return () => {
      stopRenewing();
      tab.stop();
      setDelivery('starting');
      // After signing out, nobody else should read them.
      void closeAll();
    };
  }, []);
  return device;
}

async function closeAll(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}

/** The worker asks an open page to show what the user has clicked. */
function useOpenedPaths(): void {
  const navigate = useNavigate();
  const onMessage = useStableCallback(({ data, ports }: MessageEvent<{ type?: string; path?: string }>) => {
    if (data.type === 'can-open') ports[0]?.postMessage(true);
    if (data.type === 'open' && data.path?.startsWith('/')) void navigate(data.path);
  });
  useEffect(() => {
    navigator.serviceWorker.addEventListener('message', onMessage);
    return () => navigator.serviceWorker.removeEventListener('message', onMessage);
  }, [onMessage]);
}

type User = { settings: NoticeSettings; timezone: string };

function isForDevices({ notice, createdAt }: Notification, { settings, timezone }: User): boolean {
  if (notice === null) return false;
  return decideNotice({ ...notice, settings, timezone, at: new Date(createdAt) }).channels.push !== null;
}

type Changes = { added: readonly Notification[]; read: readonly Notification[] };

async function announce({ registration, isSubscribed, tab }: Device, { added, read }: Changes): Promise<void> {
  if (!tab.isSpeaking()) return;
  for (const { _id: tag } of read) for (const shown of await registration.getNotifications({ tag })) shown.close();
  if (added.length === 0 || (await tab.isAnyFocused())) return;
  if (isPreferred('sound')) playSound();
  if (!isSubscribed) await Promise.all(added.map((notification) => show(registration, notification)));
}

/** With the tag of a push message, so that a device never shows both. */
function show(registration: ServiceWorkerRegistration, notification: Notification): Promise<void> {
  const { before = '', title, after = '' } = notificationSentence(notification, Date.now());
  return registration.showNotification(before || title, {
    tag: notification._id,
    body: before ? [title, after].join(' ').trim() : after,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: { path: notificationPath(notification) ?? '/notifications' },
  });
}
