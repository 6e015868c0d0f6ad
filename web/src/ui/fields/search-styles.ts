import { css } from 'styled-components';
import { theme } from '../theme.ts';
import { controlStyles } from './field.tsx';

/** Styles of a search field, which has space for an icon before the text and a button after it. */
export const searchInputStyles = css`
  ${controlStyles}
  padding-inline: 36px;
  text-overflow: ellipsis;
  &::-webkit-search-cancel-button {
    display: none;
  }
`;

export const searchIconStyles = css`
  position: absolute;
  inset-inline-start: 12px;
  top: calc(50% - 8px);
  width: 16px;
  height: 16px;
  color: ${theme.color.text3};
  pointer-events: none;
`;
