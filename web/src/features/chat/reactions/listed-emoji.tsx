import { CustomEmojiImage } from '#entities/emoji/custom-emoji-image.tsx';
import { EmojiGlyph } from '#entities/emoji/emoji-glyph.tsx';
import { useEmojiList } from '#entities/emoji/use-custom-emoji.ts';
import type { EmojiChoice } from './emoji-section.tsx';
import { listFrequentEmoji } from './frequent-emoji.ts';

/** The emoji of the workspace, as far as their names match the search. */
export function useWorkspaceEmoji(search: string): EmojiChoice[] {
  const words = search.trim().toLowerCase().replaceAll(':', '').split(/\s+/);
  const found = useEmojiList().data?.data.filter(({ name }) => words.every((word) => name.includes(word))) ?? [];
  return found.map((emoji) => ({
    value: `:${emoji.name}:`,
    name: emoji.name,
    glyph: <CustomEmojiImage emoji={emoji} size={24} />,
  }));
}

/** The emoji that the user picks most on this device, in one row. */
export const frequentEmoji = (userId: string, count: number): EmojiChoice[] =>
  listFrequentEmoji(userId, count).map((emoji) => ({
    value: emoji,
    name: emoji,
    glyph: <EmojiGlyph emoji={emoji} />,
  }));
