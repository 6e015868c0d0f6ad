import { Building2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { messageOf } from '../../lib/api-error.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { usePointerOver, useSteadyOrder } from '../../lib/use-steady-order.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { Button } from '../../ui/button.tsx';
import { CardSurface } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { theme } from '../../ui/theme.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { type DepartmentAction, DepartmentCard } from './department-card.tsx';
import { DepartmentGrid } from './department-grid.ts';
import { DepartmentSkeletons } from './department-skeletons.tsx';
import { type Department, useDepartmentList } from './use-departments.ts';
import { useReactivating } from './use-reactivating.ts';

const WHOLE = { search: '', page: '1' };

type Props = {
  canManage: boolean;
  onAdd: () => void;
  onAction: (action: Exclude<DepartmentAction, 'reactivate'>, department: Department) => void;
};

/** Every department by name, by the search in the address. */
export function DepartmentList({ canManage, onAdd, onAction }: Props) {
  const [place, setPlace] = useUrlState(WHOLE);
  const search = useDebounced(place.search);
  const { data, error, isValidating, mutate } = useDepartmentList({ search, page: place.page });
  const { reactivate, busyId } = useReactivating();
  const act = (action: DepartmentAction, department: Department) =>
    action === 'reactivate' ? void reactivate(department) : onAction(action, department);
  const { isOver, handlers } = usePointerOver();
  const departments = useSteadyOrder(data?.data ?? [], isOver);
  const content = (): ReactNode => {
    if (departments.length > 0)
      return (
        <DepartmentGrid {...handlers}>
          {departments.map((department) => (
            <li key={department._id}>
              <DepartmentCard department={department} canManage={canManage} busyId={busyId} onAction={act} />
            </li>
          ))}
        </DepartmentGrid>
      );
    if (data)
      return (
        <NoDepartments isSearch={search !== ''} onClear={() => setPlace(WHOLE)} onAdd={canManage ? onAdd : undefined} />
      );
    if (error)
      return (
        <CardSurface>
          <ErrorState
            title="Failed to load departments"
            detail={messageOf(error, '')}
            onRetry={() => void mutate()}
            isRetrying={isValidating}
          />
        </CardSurface>
      );
    return <DepartmentSkeletons />;
  };
  return (
    <section aria-label="Departments">
      <VisuallyHidden as="h2">Departments</VisuallyHidden>
      <Bar role="search">
        <SearchField
          label="Search departments"
          value={place.search}
          onChange={(words) => setPlace({ search: words, page: '1' })}
        />
      </Bar>
      {content()}
      {data && data.totalPages > 1 && (
        <Pages>
          <Pagination
            page={data.page}
            totalPages={data.totalPages}
            total={data.total}
            onPage={(page) => setPlace({ page: String(page) }, 'step')}
          />
        </Pages>
      )}
    </section>
  );
}

type NoneProps = { isSearch: boolean; onClear: () => void; onAdd: (() => void) | undefined };

function NoDepartments({ isSearch, onClear, onAdd }: NoneProps) {
  return (
    <CardSurface>
      {isSearch ? (
        <EmptyState
          icon={<Building2 />}
          title="No departments found"
          hint="No name fits this search."
          action={<Button onPress={onClear}>Clear search</Button>}
        />
      ) : (
        <EmptyState
          icon={<Building2 />}
          title="No departments yet"
          hint="Departments say who works together; being in one grants nothing."
          action={onAdd && <Button onPress={onAdd}>Add Department</Button>}
        />
      )}
    </CardSurface>
  );
}

const Bar = styled.div`
  display: flex;
  max-width: 480px;
  margin-bottom: ${theme.space[4]};
`;

const Pages = styled.div`
  margin-top: ${theme.space[5]};
`;
