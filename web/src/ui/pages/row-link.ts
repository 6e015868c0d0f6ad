import { css } from 'styled-components';
import { theme } from '../theme.ts';

/** A row that is a link as a whole: it has no line under it, and its ring is inside, where what surrounds it does not cut it. */
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
