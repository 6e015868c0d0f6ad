import type { ElementType, HTMLAttributes, ReactNode } from 'react';
import { useStableList } from '#lib/hooks/use-stable-order.ts';
import { useClampedPage } from '#lib/query/paging.ts';
import { Box } from '../layout/primitives.ts';
import { AsyncContent, type Query } from './async-content.tsx';
import { CardGrid, CardSurface } from './card.tsx';
import { Pagination } from './pagination.tsx';

type Item = { _id: string };

type ItemPage<T> = { data: readonly T[]; page: number; totalPages: number; total: number; more?: true | undefined };

type Props<T extends Item> = {
  query: Query<ItemPage<T>> & { isLoading: boolean };
  card: (item: T) => ReactNode;
  /** Renders all items of the page instead of their cards. */
  renderItems?: ((items: readonly T[]) => ReactNode) | undefined;
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
  useClampedPage(data, onPage);
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
  renderItems,
  list,
  skeletons,
  none,
  failure,
  as: Container = CardGrid,
}: Props<T>) {
  const { items, handlers } = useStableList(query, list);
  return (
    <AsyncContent query={query} failure={failure} skeletons={skeletons} isFramed>
      {({ total }) => {
        // Past the last page, which is shown next.
        if (items.length === 0) return total === 0 ? <CardSurface>{none}</CardSurface> : skeletons;
        if (renderItems) return renderItems(items);
        return (
          <Container {...handlers}>
            {items.map((item) => (
              <li key={item._id}>{card(item)}</li>
            ))}
          </Container>
        );
      }}
    </AsyncContent>
  );
}
