import { useSyncExternalStore } from 'react';
import { createListeners } from '#lib/listeners.ts';
import { deviceStorage } from '#lib/storage.ts';

/** The user's theme; `system` follows the device. `public/early-boot.js` reads the same key before the first paint. */
export type ThemeChoice = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'theme';
const listeners = createListeners();
const prefersDark = () => window.matchMedia('(prefers-color-scheme: dark)');

function readChoice(): ThemeChoice {
  const stored = deviceStorage.read(STORAGE_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function apply(): void {
  const choice = readChoice();
  const dark = choice === 'dark' || (choice === 'system' && prefersDark().matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  listeners.notify();
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') deviceStorage.remove(STORAGE_KEY);
  else deviceStorage.write(STORAGE_KEY, choice);
  apply();
}

export function watchTheme(): void {
  prefersDark().addEventListener('change', apply);
  window.addEventListener('storage', (event) => {
    if (event.key === STORAGE_KEY) apply();
  });
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(listeners.subscribe, readChoice);
}
