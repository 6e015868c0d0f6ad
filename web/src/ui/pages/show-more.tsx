import { type ReactNode, useEffect, useRef } from 'react';
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
  const foot = useRef<HTMLDivElement>(null);
  const focusNext = useRef<() => void>(undefined);
  useEffect(() => {
    return () => focusNext.current?.();
  }, []);
  const onFocusChange = (isFocused: boolean) => {
    focusNext.current = isFocused ? nextIn(foot.current?.previousElementSibling) : undefined;
  };
  return (
    <Foot $isApart={isApart} ref={foot}>
      {error && <p role="alert">{error.message}</p>}
      <Button variant="ghost" size="sm" {...button} onFocusChange={onFocusChange} onPress={load} isBusy={isLoading}>
        {error ? 'Try again' : children}
      </Button>
    </Foot>
  );
}

/** Returns a function that focuses what was added to a list, or its end, after the button below has disappeared. */
function nextIn(list: Element | null | undefined): (() => void) | undefined {
  if (!list) return undefined;
  const controls = () => [...list.querySelectorAll<HTMLElement>('a[href], button:enabled')];
  const count = controls().length;
  return () => {
    if (document.activeElement !== document.body) return;
    const all = controls();
    (all[count] ?? all.at(-1))?.focus({ preventScroll: true });
  };
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
