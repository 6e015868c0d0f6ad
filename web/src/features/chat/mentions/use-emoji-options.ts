import { useEffect, useState } from 'react';
import { readSkinTone, withSkinTone } from '#entities/emoji/skin-tone.ts';
import { useEmojiList } from '#entities/emoji/use-custom-emoji.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { loadShortcodes, type Shortcode, searchShortcodes } from './emoji-shortcodes.ts';
import type { MentionOption } from './mention-option.ts';

const MAX_EMOJI = 8;

/** Lists the emoji of the workspace and of Unicode whose names match what was typed after a colon. */
export function useEmojiOptions(query: string | null): MentionOption[] {
  const currentUserId = useCurrentUser()._id;
  const [shortcodes, setShortcodes] = useState<readonly Shortcode[]>([]);
  const isNeeded = query !== null;
  useEffect(() => {
    // Without them, nothing is offered.
    if (isNeeded) loadShortcodes().then(setShortcodes, () => undefined);
  }, [isNeeded]);
  const custom = useEmojiList(isNeeded).data?.data ?? [];
  if (query === null) return [];
  const skinTone = readSkinTone(currentUserId);
  const named = custom.map(({ name }): Shortcode => ({ emoji: `:${name}:`, code: name }));
  return searchShortcodes([...named, ...shortcodes], query, MAX_EMOJI).map(({ emoji, code }) => ({
    token: code,
    label: `:${code}:`,
    emoji: withSkinTone(emoji, skinTone),
  }));
}
