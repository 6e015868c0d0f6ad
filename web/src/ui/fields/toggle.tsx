import { css, styled } from 'styled-components';
import { inlineStyles } from '../mixins.ts';
import { theme } from '../theme.ts';

/** The drawn part of a checkbox or a switch. */
export const ToggleMark = styled.span<{ $on: boolean }>`
  flex: none;
  background: ${({ $on }) => ($on ? theme.color.accent : theme.color.lineStrong)};
  transition: background ${theme.motion.fast};
`;

/** Checkbox or switch with its label; the whole line is the control. */
export const toggleStyles = css`
  ${inlineStyles(3)}
  min-height: 32px;
  cursor: pointer;
  &[data-disabled] {
    opacity: 0.5;
    cursor: default;
  }
  &[data-focus-visible] ${ToggleMark} {
    box-shadow: ${theme.shadow.focus};
  }
  ${theme.media.small} {
    min-height: 44px;
  }
`;
