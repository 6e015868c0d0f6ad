import { css } from 'styled-components';
import { theme } from '../theme.ts';

/** A whole row as a link: without an underline, and with its focus ring inside, where overflow does not clip it. */
export const rowLink = css`
  color: inherit;
  &:hover {
    background: ${theme.color.hover};
    text-decoration: none;
  }
  &:focus-visible {
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
  }
`;
