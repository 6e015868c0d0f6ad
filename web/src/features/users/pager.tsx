import { styled } from 'styled-components';
import { formatCount, formatNumber } from '#lib/number-formats.ts';
import { Button } from '#ui/button.tsx';
import { captionStyles } from '#ui/mixins.ts';
import { useScrollToTop } from '#ui/pages/pagination.tsx';
import { theme } from '#ui/theme.ts';

type List = { page: number; totalPages: number; total: number; more?: true | undefined; data: readonly unknown[] };
type Props = { list: List; onPage: (page: number) => void };

/** Shows '11–20 of 98' and 'Page 2 of 10' between links to the previous and next page. */
export function Pager({ list, onPage }: Props) {
  const { page, totalPages } = list;
  const { pager, turn } = useScrollToTop<HTMLElement>(page, onPage);
  return (
    <Bar ref={pager} aria-label="Pages">
      <p>{rangeText(list)}</p>
      <span role="status">
        Page {page} of {totalPages}
      </span>
      <Buttons>
        <Button size="sm" isDisabled={page <= 1} onPress={() => turn(page - 1)}>
          Previous
        </Button>
        <Button size="sm" isDisabled={page >= totalPages} onPress={() => turn(page + 1)}>
          Next
        </Button>
      </Buttons>
    </Bar>
  );
}

function rangeText({ page, totalPages, total, more, data }: List): string {
  const rowCount = data.length;
  const isPartialPage = page >= totalPages && !more;
  const first = isPartialPage ? total - rowCount + 1 : (page - 1) * rowCount + 1;
  return `${formatNumber(first)}–${formatNumber(first + rowCount - 1)} of ${formatCount({ total, more })}`;
}

const Bar = styled.nav`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]} ${theme.space[4]};
  ${captionStyles}
  font-variant-numeric: tabular-nums;
  p {
    flex: 1 1 auto;
  }
`;

const Buttons = styled.div`
  display: flex;
  gap: ${theme.space[2]};
  ${theme.media.small} {
    flex: 1 1 100%;
    > button {
      flex: 1;
    }
  }
`;
