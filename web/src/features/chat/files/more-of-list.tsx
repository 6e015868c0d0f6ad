import { styled } from 'styled-components';
import { Button } from '../../../ui/button.tsx';
import { theme } from '../../../ui/theme.ts';

type Props = { hasMore: boolean; isLoadingMore: boolean; loadMore: () => void };

/** Ends a list of what was sent, where there is more of it. */
export function MoreOfList({ hasMore, isLoadingMore, loadMore }: Props) {
  return (
    hasMore && (
      <More>
        <Button size="sm" onPress={loadMore} isBusy={isLoadingMore}>
          Show more
        </Button>
      </More>
    )
  );
}

const More = styled.div`
  display: grid;
  justify-items: center;
  padding-top: ${theme.space[3]};
`;
