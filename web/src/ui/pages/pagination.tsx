import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { formatCount } from '#lib/number-formats.ts';
import { IconButton } from '../icon-button.tsx';
import { Inline } from '../layout/primitives.ts';
import { bareButton, focusRing } from '../mixins.ts';
import { theme } from '../theme.ts';

type Props = {
  page: number;
  totalPages: number;
  total: number;
  more?: true | undefined;
  onPage: (page: number) => void;
};

const MAX_BUTTONS = 5;

/**
 * Renders 'Showing page X of Y (N total items)' and up to five page buttons around the current one; renders nothing for
 * an empty list.
 */
export function Pagination({ page, totalPages, total, more, onPage }: Props) {
  const { pager, turn } = useScrollToTop<HTMLDivElement>(page, onPage);
  if (total === 0) return null;
  return (
    <Inline $gap={4} $rowGap={2} $justify="space-between" $wraps $size="sm" $tone="text2" $tabular ref={pager}>
      <p role="status">
        Showing page {page} of {totalPages} ({formatCount({ total, more })} total items)
      </p>
      {totalPages > 1 && (
        <Inline as="nav" $gap="2px" $align="stretch" aria-label="Pages">
          <IconButton label="Previous page" isDisabled={page <= 1} onPress={() => turn(page - 1)}>
            <ChevronLeft />
          </IconButton>
          {pagesAround(page, totalPages).map((number) => (
            <PageButton
              key={number}
              aria-label={`Page ${number}`}
              aria-current={number === page ? 'page' : 'false'}
              onPress={() => turn(number)}
            >
              {number}
            </PageButton>
          ))}
          <IconButton label="Next page" isDisabled={page >= totalPages} onPress={() => turn(page + 1)}>
            <ChevronRight />
          </IconButton>
        </Inline>
      )}
    </Inline>
  );
}

/** Returns at most five page numbers, with the current one in the middle where possible. */
export function pagesAround(page: number, totalPages: number): number[] {
  const first = Math.max(1, Math.min(page - 2, totalPages - MAX_BUTTONS + 1));
  const count = Math.max(0, Math.min(MAX_BUTTONS, totalPages));
  return Array.from({ length: count }, (_, index) => first + index);
}

const PageButton = styled(AriaButton)`
  min-width: 32px;
  height: 32px;
  ${bareButton}
  border-radius: ${theme.radius.md};
  font: 500 ${theme.text.sm};
  color: ${theme.color.text2};
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  &[aria-current='page'] {
    background: ${theme.color.accentSoft};
    color: ${theme.color.accent};
  }
  ${focusRing}
  ${theme.media.small} {
    min-width: 44px;
    height: 44px;
  }
`;

/** Scrolls to the top of the list above the pagination once the requested page is rendered. */
export function useScrollToTop<Pager extends HTMLElement>(page: number, onPage: (page: number) => void) {
  const pager = useRef<Pager>(null);
  const hasTurned = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the requested page may arrive much later
  useLayoutEffect(() => {
    const list = hasTurned.current && pager.current?.closest('section, main');
    hasTurned.current = false;
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView();
  }, [page]);
  const turn = (next: number) => {
    hasTurned.current = true;
    onPage(next);
  };
  return { pager, turn };
}
