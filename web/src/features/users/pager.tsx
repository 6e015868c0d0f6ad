import { styled } from 'styled-components';
import { totalWords } from '../../lib/format-count.ts';
import { Button } from '../../ui/button.tsx';
import { usePageStart } from '../../ui/pages/use-scroll-to-top.ts';
import { theme } from '../../ui/theme.ts';

type Props = {
  page: number;
  totalPages: number;
  shown: number;
  total: number;
  more?: true | undefined;
  onPage: (page: number) => void;
};

/** 'Page x of y', how many are on it, and the way to the pages before and after. */
export function PageTurner({ page, totalPages, shown, total, more, onPage }: Props) {
  const { pager, turn } = usePageStart<HTMLElement>(page, onPage);
  return (
    <Bar ref={pager} aria-label="Pages">
      <p>
        {shown} on this page, {totalWords({ total, more })} in all
      </p>
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

const Bar = styled.nav`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]} ${theme.space[4]};
  font: ${theme.text.sm};
  color: ${theme.color.text2};
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
