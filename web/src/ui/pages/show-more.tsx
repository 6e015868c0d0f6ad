import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { Button, type ButtonProps } from '../button.tsx';
import { theme } from '../theme.ts';

type Props = Pick<ButtonProps, 'variant' | 'size' | 'isFullWidth'> & {
  more: { isLoading: boolean; error?: Error | undefined; load: () => void };
  isApart?: boolean;
  children?: ReactNode;
};

export function ShowMore({
  more: { isLoading, error, load },
  isApart = false,
  children = 'Show more',
  ...button
}: Props) {
  return (
    <Foot $isApart={isApart}>
      {error && <p role="alert">{error.message}</p>}
      <Button variant="ghost" size="sm" {...button} onPress={load} isBusy={isLoading}>
        {error ? 'Try again' : children}
      </Button>
    </Foot>
  );
}

const Foot = styled.div<{ $isApart: boolean }>`
  display: grid;
  justify-items: center;
  gap: ${theme.space[1]};
  ${({ $isApart }) => $isApart && css`padding-top: ${theme.space[3]};`}
  p {
    font: ${theme.text.sm};
    color: ${theme.color.danger};
  }
`;
