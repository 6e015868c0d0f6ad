import { css } from 'styled-components';
import { rowLink } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

/** Styles of a link in the list of conversations: an icon, a name, and a badge. */
export const listEntryStyles = css`
  ${rowLink}
  display: grid;
  grid-template-columns: 36px minmax(0, 1fr) auto;
  gap: ${theme.space[3]};
  align-items: center;
  border-radius: ${theme.radius.md};
  color: ${theme.color.text};
  transition: background ${theme.motion.fast};
  &[aria-current] {
    background: ${theme.color.accentSoft};
  }
  &:focus-visible {
    border-radius: ${theme.radius.md};
  }
`;
