import { countChars } from '@atrium/proto-events/text-length';
import { excessLabel } from '#lib/formats.ts';
import { Text } from '#ui/layout/primitives.ts';
import { contentOf } from '../messages/content-of.ts';
import { MAX_CHARACTERS } from './use-composer.ts';

const WARNING_LENGTH = 9_000;

/** Shown near the limit; above it, shows the excess. */
export function TextCount({ text }: { text: string }) {
  const length = countChars(contentOf(text));
  const tooMany = length - MAX_CHARACTERS;
  if (tooMany > 0)
    return (
      <Text $size="xs" $tone="danger" $tabular role="alert">
        {excessLabel(tooMany)}
      </Text>
    );
  if (length <= WARNING_LENGTH) return null;
  return (
    <Text $size="xs" $tone="text3" $tabular>
      {length} / {MAX_CHARACTERS}
    </Text>
  );
}
