import type { ComponentProps, ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { css, styled } from 'styled-components';
import { UNAVAILABLE } from './button.tsx';
import { bareButton, focusRing, hiddenInPrint, iconSize } from './mixins.ts';
import { theme } from './theme.ts';

type Props = Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'aria-label'> & {
  label: string;
  children: ReactNode;
  tone?: 'neutral' | 'danger';
  ref?: Ref<HTMLButtonElement>;
};

export function IconButton({ label, children, tone = 'neutral', isDisabled = false, ...rest }: Props) {
  return (
    <Root {...rest} {...(isDisabled && UNAVAILABLE)} aria-label={label} $tone={tone}>
      {children}
    </Root>
  );
}

type NativeProps = Omit<ComponentProps<'button'>, 'aria-label' | 'type'> & { label: string };

/** For the rows of long lists, which are mounted while scrolling: a button of React Aria costs several times as much. */
export function NativeIconButton({ label, ...rest }: NativeProps) {
  return <Root as="button" type="button" {...rest} aria-label={label} $tone="neutral" />;
}

export const iconButtonStyles = css`
  display: inline-grid;
  place-items: center;
  flex: none;
  padding: 0;
  ${bareButton}
  border-radius: ${theme.radius.md};
  color: ${theme.color.text2};
  ${focusRing}
  ${iconSize(16)}
`;

export const fieldButtonStyles = css`
  ${iconButtonStyles}
  color: ${theme.color.text3};
  &[data-hovered] {
    color: ${theme.color.text};
  }
`;

const Root = styled(AriaButton)<{ $tone: 'neutral' | 'danger' }>`
  ${iconButtonStyles}
  width: 32px;
  height: 32px;
  transition: background ${theme.motion.fast}, color ${theme.motion.fast};
  &[data-hovered],
  &:not([data-rac]):hover,
  &[aria-expanded='true'] {
    background: ${({ $tone }) => ($tone === 'danger' ? theme.color.dangerSoft : theme.color.hover)};
    color: ${({ $tone }) => ($tone === 'danger' ? theme.color.danger : theme.color.text)};
  }
  &[aria-disabled='true'] {
    opacity: 0.4;
    cursor: default;
  }
  svg {
    width: 18px;
    height: 18px;
    stroke-width: 1.75;
  }
  ${theme.media.small} {
    width: 44px;
    height: 44px;
  }
  ${hiddenInPrint}
`;
