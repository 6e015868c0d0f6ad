import { type ReactNode, useRef } from 'react';
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
  const foot = useRef<HTMLDivElement>(null);
  const lastBefore = useRef<HTMLElement>(undefined);
  const focusProps = useFocusOnRemoval(() => {
    const { current } = lastBefore;
    const elements = listFocusable();
    return current && (elements[elements.indexOf(current) + 1] ?? current);
  });
  const loadMore = () => {
    lastBefore.current = listFocusable().findLast((element) => isBefore(element, foot.current));
    load();
  };
  return (
    <Foot ref={foot} $isApart={isApart}>
      {error && <p role="alert">{error.message}</p>}
      <Button variant="ghost" size="sm" {...button} {...focusProps} onPress={loadMore} isBusy={isLoading}>
        {error ? 'Try again' : children}
      </Button>
    </Foot>
  );
}

const listFocusable = () => [...document.querySelectorAll<HTMLElement>(FOCUSABLE)];

const FOCUSABLE = ['a[href]', 'button:enabled', 'input:enabled', 'textarea:enabled', '[tabindex]']
  .map((selector) => `${selector}:not([tabindex="-1"], [type=hidden])`)
  .join();

const isBefore = (element: Element, other: Element | null): boolean =>
  other !== null && (element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

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
