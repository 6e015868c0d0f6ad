import { useSyncExternalStore } from 'react';
import { createListeners } from '#lib/listeners.ts';
import { deviceStorage } from '#lib/storage.ts';

const STORAGE_KEY = 'atrium:collapsed-sections';
const listeners = createListeners();

/** The ids of the collapsed sections of this device as JSON. */
const read = (): string => deviceStorage.read(STORAGE_KEY) ?? '[]';

export function parseSectionIds(json: string): string[] {
  try {
    const ids: unknown = JSON.parse(json);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export function toggleCollapsed(id: string): void {
  const ids = parseSectionIds(read());
  const next = ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];
  deviceStorage.write(STORAGE_KEY, JSON.stringify(next));
  listeners.notify();
}

export const useCollapsedSections = (): readonly string[] =>
  parseSectionIds(useSyncExternalStore(listeners.subscribe, read));
