import { css } from 'styled-components';
import { theme } from './theme.ts';

export type Space = keyof typeof theme.space | '2px' | '6px';

export const lengthOf = (space: Space): string => (typeof space === 'number' ? theme.space[space] : space);

export const inlineStyles = (gap: Space) => css`
  display: flex;
  align-items: center;
  gap: ${lengthOf(gap)};
`;

export const ellipsis = css`
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;

/** Starts where the interface does, for any direction of the text. Chromium has only the prefixed value. */
export const alignWithParent = css`
  text-align: -webkit-match-parent;
  text-align: match-parent;
`;

export const clampLines = (lines: number) => css`
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: ${lines};
  overflow: hidden;
  overflow-wrap: anywhere;
`;

export const captionStyles = css`
  font: ${theme.text.sm};
  color: ${theme.color.text2};
`;

export const dividedStyles = css`
  & + & {
    border-top: 1px solid ${theme.color.line};
  }
`;

export const stretchedLink = css`
  color: inherit;
  &:hover {
    text-decoration: none;
  }
  &::after {
    content: '';
    position: absolute;
    inset: 0;
  }
  &:focus-visible {
    box-shadow: none;
  }
`;

export const iconSize = (size: number) => css`
  svg {
    width: ${size}px;
    height: ${size}px;
  }
`;

export const bareButton = css`
  border: 0;
  background: transparent;
  cursor: pointer;
`;

export const focusRing = css`
  &[data-focus-visible] {
    outline: none;
    box-shadow: ${theme.shadow.focus};
  }
`;

export const insetFocusRing = css`
  &[data-focus-visible] {
    outline: none;
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
  }
`;

export const hiddenInPrint = css`
  @media print {
    display: none;
  }
`;

/** Styles a row that is a link: no underline, and an inset focus ring, which overflow does not clip. */
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
