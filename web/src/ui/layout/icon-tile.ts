import { css, styled } from 'styled-components';
import { theme } from '../theme.ts';

const TILE_TONES = {
  neutral: css`
    background: ${theme.color.sunken};
    color: ${theme.color.text2};
  `,
  accent: css`
    background: ${theme.color.accentSoft};
    color: ${theme.color.accent};
  `,
  danger: css`
    background: ${theme.color.dangerSoft};
    color: ${theme.color.danger};
  `,
};

const ICON_SIZES = { 28: 16, 32: 18, 36: 18, 40: 20, 44: 22 };

type IconTileProps = {
  $size: keyof typeof ICON_SIZES;
  $tone?: keyof typeof TILE_TONES | undefined;
  $round?: boolean | undefined;
};

/** An icon on a colored ground. */
export const IconTile = styled.span<IconTileProps>`
  display: grid;
  place-items: center;
  flex: none;
  width: ${({ $size }) => $size}px;
  height: ${({ $size }) => $size}px;
  border-radius: ${({ $size, $round }) => ($round ? theme.radius.full : theme.radius[$size > 40 ? 'lg' : 'md'])};
  ${({ $tone }) => TILE_TONES[$tone ?? 'neutral']}
  svg {
    width: ${({ $size }) => ICON_SIZES[$size]}px;
    height: ${({ $size }) => ICON_SIZES[$size]}px;
    stroke-width: 1.75;
  }
`;
