import { styled } from 'styled-components';
import { alignWithParent, captionStyles, clampLines, ellipsis, lengthOf, type Space } from '../mixins.ts';
import { theme } from '../theme.ts';

type BoxProps = {
  /** As an item of a row: takes the free space, may be narrower than its content, or never shrinks. */
  $flex?: 'fill' | 'shrink' | 'none' | undefined;
  $above?: Space | undefined;
  $below?: Space | undefined;
  $size?: keyof typeof theme.text | undefined;
  $weight?: 500 | 600 | undefined;
  $tone?: keyof typeof theme.color | undefined;
  /** Digits of equal width, for numbers and times that change or are aligned. */
  $tabular?: boolean | undefined;
  /** Breaks long words, as in user text. */
  $breaks?: boolean | undefined;
};

const FLEX = { fill: 'flex: 1; min-width: 0;', shrink: 'min-width: 0;', none: 'flex: none;' };

function fontOf({ $size, $weight }: BoxProps): string {
  if ($size) return `font: ${$weight ?? ''} ${theme.text[$size]};`;
  return $weight ? `font-weight: ${$weight};` : '';
}

function boxStyles(props: BoxProps): string {
  const { $flex, $above, $below, $tone, $tabular, $breaks } = props;
  return [
    $flex ? FLEX[$flex] : '',
    $above ? `margin-top: ${lengthOf($above)};` : '',
    $below ? `margin-bottom: ${lengthOf($below)};` : '',
    fontOf(props),
    $tone ? `color: ${theme.color[$tone]};` : '',
    $tabular ? 'font-variant-numeric: tabular-nums;' : '',
    $breaks ? 'overflow-wrap: anywhere;' : '',
  ].join('');
}

export const Box = styled.div<BoxProps>`
  ${boxStyles}
`;

type StackProps = BoxProps & { $gap: Space; $align?: 'start' | 'center' | 'end' | undefined };

export const Stack = styled.div<StackProps>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  align-content: start;
  gap: ${({ $gap }) => lengthOf($gap)};
  ${({ $align }) => $align && `justify-items: ${$align};`}
  ${boxStyles}
`;

type InlineProps = BoxProps & {
  $gap?: Space | undefined;
  /** The gap between wrapped lines, if it differs. */
  $rowGap?: Space | undefined;
  $align?: 'start' | 'end' | 'baseline' | 'stretch' | undefined;
  $justify?: 'center' | 'end' | 'space-between' | undefined;
  $wraps?: boolean | undefined;
};

/** Elements in a row, vertically centered. */
export const Inline = styled.div<InlineProps>`
  display: flex;
  align-items: ${({ $align }) => $align ?? 'center'};
  ${({ $justify }) => $justify && `justify-content: ${$justify};`}
  ${({ $wraps }) => $wraps && 'flex-wrap: wrap;'}
  ${({ $gap }) => $gap && `gap: ${lengthOf($gap)};`}
  ${({ $rowGap }) => $rowGap && `row-gap: ${lengthOf($rowGap)};`}
  ${boxStyles}
`;

type TextProps = BoxProps & {
  $clamp?: 1 | 2 | 3 | 4 | undefined;
  $block?: boolean | undefined;
};

function clampStyles({ $clamp, $block }: TextProps) {
  if ($clamp !== undefined && $clamp > 1) return clampLines($clamp);
  return [($block || $clamp) && 'display: block;', $clamp && [ellipsis, alignWithParent]];
}

export const Text = styled.span<TextProps>`
  ${clampStyles}
  ${boxStyles}
`;

/** A small, secondary line: a hint, or a detail of what is above it. */
export const Caption = styled.p<TextProps>`
  ${captionStyles}
  ${clampStyles}
  ${boxStyles}
`;

/** A name (`strong`) above a detail (`small`), each truncated to one line. */
export const TwoLineText = styled.span<BoxProps>`
  display: block;
  min-width: 0;
  strong,
  small {
    display: block;
    ${ellipsis}
  }
  strong {
    font-weight: 500;
  }
  small {
    ${captionStyles}
  }
  ${boxStyles}
`;

/** The heading of a part of a dialog or panel. */
export const PartHeading = styled.h3<BoxProps>`
  margin-bottom: ${theme.space[1]};
  font: 500 ${theme.text.sm};
  ${boxStyles}
`;

export const DividedList = styled.ul`
  > li + li {
    border-top: 1px solid ${theme.color.line};
  }
`;
