import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { bareButton, ellipsis } from './mixins.ts';
import { theme } from './theme.ts';

/** A text-only button on one line. */
export const TextButton = styled(Button)`
  max-width: 100%;
  padding: 0;
  ${bareButton}
  border-radius: ${theme.radius.sm};
  color: inherit;
  font: inherit;
  text-align: start;
  ${ellipsis}
  &[data-hovered] {
    color: ${theme.color.accent};
  }
  &[data-focus-visible] {
    outline: 2px solid ${theme.color.accent};
  }
`;
