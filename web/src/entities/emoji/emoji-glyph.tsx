import { parseCustomEmoji } from '@atrium/proto-events/text/emoji';
import { Suspense } from 'react';
import { lazyNamed } from '#lib/lazy.ts';

const NamedEmoji = lazyNamed(() => import('./named-emoji.tsx'), 'NamedEmoji');

/** An emoji of Unicode, or a custom one by its name between colons. */
export function EmojiGlyph({ emoji }: { emoji: string }) {
  const name = parseCustomEmoji(emoji);
  if (name === undefined) return emoji;
  return (
    <Suspense fallback={emoji}>
      <NamedEmoji name={name} />
    </Suspense>
  );
}
