import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { styled } from 'styled-components';
import { type ButtonSize, type ButtonVariant, buttonStyles } from './button.tsx';
import { hiddenInPrint } from './mixins.ts';
import { theme } from './theme.ts';

type ButtonLinkProps = Pick<LinkProps, 'to' | 'replace' | 'aria-label'> & {
  children: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  isFullWidth?: boolean;
};

export function ButtonLink({
  children,
  variant = 'secondary',
  size = 'md',
  icon,
  isFullWidth = false,
  ...rest
}: ButtonLinkProps) {
  return (
    <ButtonAnchor {...rest} $variant={variant} $size={size} $full={isFullWidth}>
      {icon}
      {children}
    </ButtonAnchor>
  );
}

const ButtonAnchor = styled(Link)<{ $variant: ButtonVariant; $size: ButtonSize; $full: boolean }>`
  ${buttonStyles}

  &:hover {
    text-decoration: none;
    background: ${({ $variant }) => ($variant === 'primary' ? theme.color.accentHover : theme.color.sunken)};
  }
  &:focus-visible {
    border-radius: ${theme.radius.md};
  }
  ${hiddenInPrint}
`;
