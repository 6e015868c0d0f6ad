import { readSkinTone, withSkinTone } from '#entities/emoji/skin-tone.ts';
import { currentUserId } from '#lib/session/session.ts';
import { isInFence } from '../text/continue-line.ts';
import type { Field } from '../text/use-field.ts';
import { loadShortcodes } from './emoji-shortcodes.ts';

/** Replaces the name of an emoji that was typed in full, before `end`. Undo returns to the name. */
export async function replaceCode({ field, apply }: Field, code: string, end: number): Promise<void> {
  const shortcodes = await loadShortcodes().catch(() => []);
  const found = shortcodes.find((shortcode) => shortcode.code === code)?.emoji;
  const owner = currentUserId();
  const emoji = found && owner ? withSkinTone(found, readSkinTone(owner)) : found;
  const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
  const from = end - code.length - 2;
  const isThere = value.slice(from, end).toLowerCase() === `:${code}:` && selectionStart === selectionEnd;
  if (emoji === undefined || !isThere || isInCode(value.slice(0, from))) return;
  const shift = selectionStart < end ? 0 : emoji.length - (end - from);
  apply({ edits: [{ from, to: end, text: emoji }], selection: [selectionStart + shift, selectionStart + shift] });
}

function isInCode(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return isInFence(before) || (line.split('`').length - 1) % 2 === 1;
}
