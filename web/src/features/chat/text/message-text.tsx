import { hasVisibleText, normalizeText } from '@atrium/proto-events/text/normalize';
import { countChars } from '@atrium/proto-events/text-length';
import { excessLabel, formatNumber } from '#lib/number-formats.ts';
import { Text } from '#ui/layout/primitives.ts';

/** Returns the text as the server stores it; empty without visible characters. */
export const contentOf = (text: string): string => (hasVisibleText(text) ? normalizeText(text) : '');

/** The limit in the contract of `sendMessage`. */
export const MAX_CHARACTERS = 10_000;
const WARNING_LENGTH = 9_000;

export function CharacterCount({ content }: { content: string }) {
  const length = countChars(content);
  const excess = length - MAX_CHARACTERS;
  if (excess > 0)
    return (
      <Text $size="xs" $tone="danger" $tabular role="alert">
        {excessLabel(excess)}
      </Text>
    );
  if (length <= WARNING_LENGTH) return null;
  return (
    <Text $size="xs" $tone="text3" $tabular>
      {formatNumber(length)} / {formatNumber(MAX_CHARACTERS)}
    </Text>
  );
}
