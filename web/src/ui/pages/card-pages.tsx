import { FileX } from 'lucide-react';
import type { ElementType, HTMLAttributes, ReactNode } from 'react';
import { styled } from 'styled-components';
import { useStableList } from '../../lib/hooks/use-stable-order.ts';
import { Button } from '../button.tsx';
import { theme } from '../theme.ts';
import { AsyncContent } from './async-content.tsx';
import { CardSurface } from './card.tsx';
import { CardGrid } from './card-grid.ts';
import { EmptyState } from './empty-state.tsx';
import { Pagination } from './pagination.tsx';

type Item = { _id: string };

type Props<T extends Item> = {
  /** What `useRead` gives of a list that comes in pages. */
  answer: {
    data?: { data: readonly T[]; page: number; totalPages: number; total: number; more?: true | undefined } | undefined;
    error?: unknown;
    isValidating: boolean;
    isLoading: boolean;
    mutate: () => Promise<unknown>;
  };
  card: (item: T) => ReactNode;
  /** Which list it is: another search, filter or page makes it another. */
  list: string;
  /** Stands there until the first answer. */
  skeletons: ReactNode;
  /** Stands there where there is nothing on any page. */
  none: ReactNode;
  /** 'Failed to load departments'. */
  failure: string;
  onPage: (page: number) => void;
  /** Says how many there are where they are on one page, too. */
  isCounted?: boolean;
  /** How the cards stand; in columns unless told. */
  as?: ElementType<HTMLAttributes<HTMLUListElement>>;
};

/** A page of cards, which keep their places under a pointer, or what stands in their stead; and the way to the other pages. */
export function CardPages<T extends Item>(props: Props<T>) {
  const { answer, isCounted = false, onPage } = props;
  const { data } = answer;
  return (
    <>
      <Content {...props} />
      {data && (isCounted ? data.data.length > 0 : data.totalPages > 1) && (
        <Pages>
          <Pagination {...data} onPage={onPage} />
        </Pages>
      )}
    </>
  );
}

function Content<T extends Item>({
  answer,
  card,
  list,
  skeletons,
  none,
  failure,
  onPage,
  as: Place = CardGrid,
}: Props<T>) {
  const { items, handlers } = useStableList(answer, list);
  const instead = (total: number, totalPages: number): ReactNode => {
    if (total === 0) return <CardSurface>{none}</CardSurface>;
    // All of the page was deleted here, and what moves up is on its way.
    if (answer.isValidating) return skeletons;
    return (
      <CardSurface>
        <PastTheLast totalPages={totalPages} onPage={onPage} />
      </CardSurface>
    );
  };
  return (
    <AsyncContent of={answer} failure={failure} skeletons={skeletons} isFramed>
      {({ total, totalPages }) =>
        items.length > 0 ? (
          <Place {...handlers}>
            {items.map((item) => (
              <li key={item._id}>{card(item)}</li>
            ))}
          </Place>
        ) : (
          instead(total, totalPages)
        )
      }
    </AsyncContent>
  );
}

/** The last one of the page went, or the address names a page that never was. */
function PastTheLast({ totalPages, onPage }: { totalPages: number; onPage: (page: number) => void }) {
  return (
    <EmptyState
      icon={<FileX />}
      title="Nothing on this page"
      action={<Button onPress={() => onPage(totalPages)}>Go to the last page</Button>}
    />
  );
}

const Pages = styled.div`
  margin-top: ${theme.space[5]};
`;
