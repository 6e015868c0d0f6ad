import { css } from 'styled-components';
import { inlineStyles } from '../mixins.ts';
import { theme } from '../theme.ts';

/** Styles of a row in any list or menu. */
export const rowStyles = css`
  ${inlineStyles(3)}
  min-height: 34px;
  padding: 6px 10px;
  border-radius: ${theme.radius.md};
  outline: none;
  cursor: pointer;
  color: ${theme.color.text};
  &[data-focused] {
    background: ${theme.color.sunken};
  }
  &[data-disabled] {
    opacity: 0.45;
    cursor: default;
  }
  svg {
    width: 16px;
    height: 16px;
    color: ${theme.color.text2};
  }
  ${theme.media.small} {
    min-height: 44px;
  }
`;
