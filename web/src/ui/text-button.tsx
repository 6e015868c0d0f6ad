import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { theme } from './theme.ts';

/** A text-only button on one line. */
export const TextButton = styled(Button)`
  max-width: 100%;
  padding: 0;
  border: 0;
  border-radius: ${theme.radius.sm};
  background: none;
  color: inherit;
  font: inherit;
  text-align: start;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  cursor: pointer;
  &[data-hovered] {
    color: ${theme.color.accent};
  }
  &[data-focus-visible] {
    outline: 2px solid ${theme.color.accent};
  }
`;
