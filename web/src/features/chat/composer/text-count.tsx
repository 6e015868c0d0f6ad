import { countChars } from '@atrium/proto-events/text-length';
import { styled } from 'styled-components';
import { excessLabel } from '#lib/formats.ts';
import { theme } from '#ui/theme.ts';
import { contentOf } from '../messages/content-of.ts';
import { MAX_CHARACTERS } from './use-composer.ts';

const WARNING_LENGTH = 9_000;

/** Shown near the limit; above it, shows the excess. */
export function TextCount({ text }: { text: string }) {
  const length = countChars(contentOf(text));
  const tooMany = length - MAX_CHARACTERS;
  if (tooMany > 0) return <TooLong role="alert">{excessLabel(tooMany)}</TooLong>;
  if (length <= WARNING_LENGTH) return null;
  return (
    <Count>
      {length} / {MAX_CHARACTERS}
    </Count>
  );
}

const Count = styled.span`
  font: ${theme.text.xs};
  color: ${theme.color.text3};
  font-variant-numeric: tabular-nums;
`;

const TooLong = styled(Count)`
  color: ${theme.color.danger};
`;
