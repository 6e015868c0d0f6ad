import type { MouseEvent, ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { css, styled } from 'styled-components';
import { focusRing, hiddenInPrint, iconSize } from './mixins.ts';
import { Spinner } from './spinner.tsx';
import { theme } from './theme.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md';

export type ButtonProps = Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'isPending'> & {
  children: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Shows a spinner, keeps focus, and ignores presses. */
  isBusy?: boolean;
  isFullWidth?: boolean;
};

/**
 * An unavailable button keeps focus, which browsers take from a `disabled` one, so that the next Tab would start at the
 * top of the page. Implicit submission by Enter is blocked as well. React Aria's pending state is not
 * used: it leaves an empty live announcement, which axe reports as serious.
 */
export const UNAVAILABLE = {
  onPress: () => undefined,
  onClick: (event: MouseEvent) => event.preventDefault(),
  'aria-disabled': true,
} as const;

const BUSY = { ...UNAVAILABLE, 'aria-busy': true } as const;

export function Button({
  children,
  variant = 'secondary',
  size = 'md',
  icon,
  isBusy = false,
  isDisabled = false,
  isFullWidth = false,
  ...rest
}: ButtonProps) {
  const state = isBusy ? BUSY : isDisabled && UNAVAILABLE;
  return (
    <Root {...rest} {...state} $variant={variant} $size={size} $full={isFullWidth} $isBusy={isBusy}>
      {isBusy ? <Spinner /> : icon}
      <Label>{children}</Label>
    </Root>
  );
}

const variants = {
  primary: css`
    background: ${theme.color.accent};
    color: ${theme.color.onAccent};
    &[data-hovered] {
      background: ${theme.color.accentHover};
    }
  `,
  secondary: css`
    background: ${theme.color.surface};
    border-color: ${theme.color.line};
    color: ${theme.color.text};
    box-shadow: ${theme.shadow.low};
    &[data-hovered] {
      background: ${theme.color.sunken};
    }
  `,
  ghost: css`
    background: transparent;
    color: ${theme.color.text2};
    &[data-hovered] {
      background: ${theme.color.hover};
      color: ${theme.color.text};
    }
  `,
  danger: css`
    background: ${theme.color.danger};
    color: ${theme.color.onDanger};
    &[data-hovered] {
      background: ${theme.color.dangerHover};
    }
  `,
};

export const buttonStyles = css<{ $variant: ButtonVariant; $size: ButtonSize; $full: boolean }>`
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: ${theme.space[2]};
  flex: none;
  width: ${({ $full }) => ($full ? '100%' : 'auto')};
  min-height: ${({ $size }) => ($size === 'sm' ? '28px' : theme.control)};
  padding: ${({ $size }) => ($size === 'sm' ? '0 10px' : '0 14px')};
  border: 1px solid transparent;
  border-radius: ${theme.radius.md};
  font: 500 ${theme.text.md};
  text-align: center;
  white-space: nowrap;
  text-decoration: none;
  cursor: pointer;
  user-select: none;
  transition:
    background ${theme.motion.fast},
    color ${theme.motion.fast},
    border-color ${theme.motion.fast};

  ${({ $variant }) => variants[$variant]}

  &[data-pressed] {
    transform: translateY(0.5px);
  }
  ${focusRing}
  ${iconSize(16)}
  ${theme.media.small} {
    min-height: ${theme.control};
  }
`;

// React Aria uses `data-disabled` and `data-pending` for its own states.
const Root = styled(AriaButton)<{ $variant: ButtonVariant; $size: ButtonSize; $full: boolean; $isBusy: boolean }>`
  ${buttonStyles}
  &[aria-disabled='true'] {
    opacity: ${({ $isBusy }) => ($isBusy ? 1 : 0.5)};
    cursor: ${({ $isBusy }) => ($isBusy ? 'progress' : 'default')};
  }
  ${hiddenInPrint}
`;

const Label = styled.span`
  overflow: hidden;
  text-overflow: ellipsis;
`;
