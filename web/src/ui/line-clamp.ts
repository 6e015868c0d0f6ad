import { css } from 'styled-components';
import { theme } from './theme.ts';

/** A name (`strong`) above a detail (`small`), each cut to one line. */
export const lineClamp = css`
  min-width: 0;
  strong,
  small {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  strong {
    font-weight: 500;
  }
  small {
    font: ${theme.text.sm};
    color: ${theme.color.text2};
  }
`;
