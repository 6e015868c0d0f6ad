import { useSyncExternalStore } from 'react';
import { createListeners } from '#lib/listeners.ts';
import { currentUserId, onSessionChange } from '#lib/session/session.ts';
import { deviceStorage } from '#lib/storage.ts';

/** What a user has chosen for this device. */
type Preference = 'notifications' | 'sound';

const listeners = createListeners();
const keyOf = (preference: Preference) => `atrium:device-${preference}:${currentUserId() ?? ''}`;

export const isPreferred = (preference: Preference): boolean => deviceStorage.read(keyOf(preference)) === 'on';

export function setPreference(preference: Preference, isOn: boolean): void {
  if (isOn) deviceStorage.write(keyOf(preference), 'on');
  else deviceStorage.remove(keyOf(preference));
  listeners.notify();
}

function subscribe(listener: () => void): () => void {
  const stops = [listeners.subscribe(listener), onSessionChange(listener)];
  window.addEventListener('storage', listener);
  return () => {
    for (const stop of stops) stop();
    window.removeEventListener('storage', listener);
  };
}

export const usePreference = (preference: Preference): boolean =>
  useSyncExternalStore(subscribe, () => isPreferred(preference));

/** The user can revoke the permission in the settings of the browser at any time. */
export const areNotificationsOn = (): boolean =>
  isSupported() && isPreferred('notifications') && Notification.permission === 'granted';

/** Requires HTTPS and, on iPhones, that Atrium is on the home screen. */
export const isSupported = (): boolean => 'Notification' in globalThis && 'serviceWorker' in navigator;
