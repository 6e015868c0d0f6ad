import type { SkinTone } from 'frimousse';
import { deviceStorage } from '#lib/storage.ts';

const SKIN_TONES: readonly SkinTone[] = ['none', 'light', 'medium-light', 'medium', 'medium-dark', 'dark'];

const storageKey = (userId: string): string => `atrium:skin-tone:${userId}`;

export function readSkinTone(userId: string): SkinTone {
  const stored = deviceStorage.read(storageKey(userId));
  return SKIN_TONES.find((skinTone) => skinTone === stored) ?? 'none';
}

export function saveSkinTone(userId: string, skinTone: SkinTone): void {
  deviceStorage.write(storageKey(userId), skinTone);
}
