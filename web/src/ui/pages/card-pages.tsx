import { FileX } from 'lucide-react';
import type { ElementType, HTMLAttributes, ReactNode } from 'react';
import { useStableList } from '#lib/hooks/use-stable-order.ts';
import { Button } from '../button.tsx';
import { Box } from '../layout/primitives.ts';
import { AsyncContent, type Query } from './async-content.tsx';
import { CardGrid, CardSurface } from './card.tsx';
import { EmptyState } from './empty-state.tsx';
import { Pagination } from './pagination.tsx';

type Item = { _id: string };

type ItemPage<T> = { data: readonly T[]; page: number; totalPages: number; total: number; more?: true | undefined };

type Props<T extends Item> = {
  query: Query<ItemPage<T>> & { isLoading: boolean };
  card: (item: T) => ReactNode;
  /** Identifies the list by search, filters, and page. */
  list: string;
  skeletons: ReactNode;
  none: ReactNode;
  failure: string;
  onPage: (page: number) => void;
  showsCount?: boolean;
  as?: ElementType<HTMLAttributes<HTMLUListElement>>;
};

export function CardPages<T extends Item>(props: Props<T>) {
  const { query, showsCount = false, onPage } = props;
  const { data } = query;
  return (
    <>
      <Content {...props} />
      {data && (showsCount ? data.data.length > 0 : data.totalPages > 1) && (
        <Box $above={5}>
          <Pagination {...data} onPage={onPage} />
        </Box>
      )}
    </>
  );
}

function Content<T extends Item>({
  query,
  card,
  list,
  skeletons,
  none,
  failure,
  onPage,
  as: Container = CardGrid,
}: Props<T>) {
  const { items, handlers } = useStableList(query, list);
  const renderEmpty = (total: number, totalPages: number): ReactNode => {
    if (total === 0) return <CardSurface>{none}</CardSurface>;
    if (query.isValidating) return skeletons;
    return (
      <CardSurface>
        <PastTheLast totalPages={totalPages} onPage={onPage} />
      </CardSurface>
    );
  };
  return (
    <AsyncContent query={query} failure={failure} skeletons={skeletons} isFramed>
      {({ total, totalPages }) =>
        items.length > 0 ? (
          <Container {...handlers}>
            {items.map((item) => (
              <li key={item._id}>{card(item)}</li>
            ))}
          </Container>
        ) : (
          renderEmpty(total, totalPages)
        )
      }
    </AsyncContent>
  );
}

function PastTheLast({ totalPages, onPage }: { totalPages: number; onPage: (page: number) => void }) {
  return (
    <EmptyState
      icon={<FileX />}
      title="Nothing on this page"
      action={<Button onPress={() => onPage(totalPages)}>Go to the last page</Button>}
    />
  );
}
