import { styled } from 'styled-components';
import { theme } from './theme.ts';

/** Consecutive texts, of which those that match a search are marked. */
export function MarkedText({ parts }: { parts: readonly { text: string; match: boolean }[] }) {
  return parts.map(({ text, match }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no state
    <span key={index}>{match ? <Mark>{text}</Mark> : text}</span>
  ));
}

const Mark = styled.mark`
  border-radius: ${theme.radius.sm};
  background: ${theme.color.accentSoft};
  color: ${theme.color.text};
  font-weight: 600;
`;
