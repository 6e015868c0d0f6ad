import { CustomEmojiImage } from './custom-emoji-image.tsx';
import { useEmojiByName } from './use-custom-emoji.ts';

/** The image of a custom emoji, or its name as text if there is none. */
export function NamedEmoji({ name }: { name: string }) {
  const emoji = useEmojiByName(name);
  return emoji ? <CustomEmojiImage key={emoji._id} emoji={emoji} /> : `:${name}:`;
}
