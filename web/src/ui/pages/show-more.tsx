import { type ReactNode, useRef } from 'react';
import type { PressEvent } from 'react-aria-components/Button';
import { css, styled } from 'styled-components';
import { useFocusOnRemoval } from '#lib/hooks/use-focus-on-removal.ts';
import { Button, type ButtonProps } from '../button.tsx';
import { theme } from '../theme.ts';

type Props = Pick<ButtonProps, 'variant' | 'size' | 'isFullWidth'> & {
  more: { isLoading: boolean; error?: Error | undefined; load: () => void };
  isApart?: boolean;
  children?: ReactNode;
};

/** Once everything is loaded, focus moves to the first item that was added. */
export function ShowMore({
  more: { isLoading, error, load },
  isApart = false,
  children = 'Show more',
  ...button
}: Props) {
  const index = useRef(-1);
  const focusProps = useFocusOnRemoval(() => listFocusable()[index.current]);
  const loadMore = ({ target }: PressEvent) => {
    index.current = listFocusable().indexOf(target as HTMLElement);
    load();
  };
  return (
    <Foot $isApart={isApart}>
      {error && <p role="alert">{error.message}</p>}
      <Button variant="ghost" size="sm" {...button} {...focusProps} onPress={loadMore} isBusy={isLoading}>
        {error ? 'Try again' : children}
      </Button>
    </Foot>
  );
}

/** An added item takes the place of the button. */
const listFocusable = () => [...document.querySelectorAll<HTMLElement>('a, button')];

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
