import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';
import { deviceStorage } from './session/storage.ts';

const STORAGE_KEY = 'atrium:single-key-shortcuts';
const listeners = createListeners();

/** Whether single letters are shortcuts on this device. Users of speech input turn them off (WCAG 2.1.4). */
export const areSingleKeysOn = (): boolean => deviceStorage.read(STORAGE_KEY) !== 'off';

export function setSingleKeys(isOn: boolean): void {
  if (isOn) deviceStorage.remove(STORAGE_KEY);
  else deviceStorage.write(STORAGE_KEY, 'off');
  listeners.notify();
}

export const useSingleKeys = (): boolean => useSyncExternalStore(listeners.subscribe, areSingleKeysOn);
