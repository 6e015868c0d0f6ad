import { useSyncExternalStore } from 'react';
import { isRecord } from '#lib/is-record.ts';
import { createListeners } from '#lib/listeners.ts';
import { deviceStorage } from '#lib/storage.ts';

const DEFAULT_EMOJI = ['👍', '❤️', '😂'];
const MAX_STORED_EMOJI = 50;

const listeners = createListeners();

const storageKey = (userId: string): string => `atrium:emoji:${userId}`;

/** Counts an emoji for `useFrequentEmoji`. The counts belong to this device. */
export function recordEmojiUse(userId: string, emoji: string): void {
  const { [emoji]: count = 0, ...others } = readCounts(userId);
  const kept = sortByCount(others).slice(0, MAX_STORED_EMOJI - 1);
  const counts = Object.fromEntries([[emoji, count + 1], ...kept]);
  deviceStorage.write(storageKey(userId), JSON.stringify(counts));
  listeners.notify();
}

/** Returns the three emoji that the user has used most on this device. */
export function useFrequentEmoji(userId: string): readonly string[] {
  return useSyncExternalStore(listeners.subscribe, () => listFrequentEmoji(userId).join(' ')).split(' ');
}

export function listFrequentEmoji(userId: string, count = DEFAULT_EMOJI.length): string[] {
  const used = sortByCount(readCounts(userId)).map(([emoji]) => emoji);
  return [...new Set([...used, ...DEFAULT_EMOJI])].slice(0, count);
}

/** Of emoji used equally often, the one used last comes first. */
const sortByCount = (counts: Record<string, number>) => Object.entries(counts).sort(([, a], [, b]) => b - a);

function readCounts(userId: string): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(deviceStorage.read(storageKey(userId)) ?? '{}');
    if (!isRecord(stored)) return {};
    return Object.fromEntries(Object.entries(stored).map(([emoji, count]) => [emoji, Number(count) || 0]));
  } catch {
    return {};
  }
}
