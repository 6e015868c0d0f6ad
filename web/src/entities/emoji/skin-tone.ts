import { parseEmoji } from '@atrium/proto-events/text/emoji';
import type { SkinTone } from 'frimousse';
import { deviceStorage } from '#lib/storage.ts';

/** The modifiers of Unicode (UTS #51, section 2.4). */
const MODIFIERS: Readonly<Record<SkinTone, string>> = {
  none: '',
  light: '\u{1F3FB}',
  'medium-light': '\u{1F3FC}',
  medium: '\u{1F3FD}',
  'medium-dark': '\u{1F3FE}',
  dark: '\u{1F3FF}',
};
const SKIN_TONES = Object.keys(MODIFIERS) as SkinTone[];

const storageKey = (userId: string): string => `atrium:skin-tone:${userId}`;

export function readSkinTone(userId: string): SkinTone {
  const stored = deviceStorage.read(storageKey(userId));
  return SKIN_TONES.find((skinTone) => skinTone === stored) ?? 'none';
}

export function saveSkinTone(userId: string, skinTone: SkinTone): void {
  deviceStorage.write(storageKey(userId), skinTone);
}

/** Returns the emoji in a skin tone, or as it is if it has none, as families do. */
export function withSkinTone(emoji: string, skinTone: SkinTone): string {
  const modified = emoji.replace(/(\p{Emoji_Modifier_Base})\uFE0F?/gu, `$1${MODIFIERS[skinTone]}`);
  return skinTone === 'none' ? emoji : (parseEmoji(modified) ?? emoji);
}
