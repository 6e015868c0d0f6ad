import { Building2 } from 'lucide-react';
import { styled } from 'styled-components';
import { type Department, useDepartmentList, useDepartmentStats } from '#entities/department/use-departments.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { Button } from '#ui/button.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { CardPages } from '#ui/pages/card-pages.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonCards } from '#ui/pages/skeleton-cards.tsx';
import { StatCards } from '#ui/pages/stat-cards.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { type DepartmentAction, DepartmentCard } from './department-card.tsx';
import { useDepartmentActions } from './use-department-actions.ts';

const NO_FILTERS = { search: '', page: '1' };

type Props = {
  canManage: boolean;
  onAdd: () => void;
  onAction: (action: Exclude<DepartmentAction, 'reactivate'>, department: Department) => void;
};

export function DepartmentList({ canManage, onAdd, onAction }: Props) {
  const [filters, setFilters] = useUrlState(NO_FILTERS);
  const search = useDebounced(filters.search);
  const departments = useDepartmentList({ search, page: filters.page });
  const { run: reactivate, inFlight } = useReactivating();
  const act = (action: DepartmentAction, department: Department) =>
    action === 'reactivate' ? void reactivate(department._id) : onAction(action, department);
  return (
    <Section aria-label="Departments">
      <VisuallyHidden as="h2">Departments</VisuallyHidden>
      <Bar role="search">
        <SearchField
          label="Search departments"
          value={filters.search}
          onChange={(text) => setFilters({ search: text, page: '1' })}
        />
      </Bar>
      <CardPages
        query={departments}
        list={JSON.stringify({ search, page: filters.page })}
        card={(department) => (
          <DepartmentCard department={department} canManage={canManage} busyIds={inFlight} onAction={act} />
        )}
        skeletons={<SkeletonCards label="Loading departments" mark={{ width: 44, height: 44 }} beside={[54, 36]} />}
        none={
          <NoDepartments
            isSearch={search !== ''}
            onClear={() => setFilters(NO_FILTERS, 'push')}
            onAdd={canManage ? onAdd : undefined}
          />
        }
        failure="Failed to load departments"
        onPage={(page) => setFilters({ page: String(page) }, 'push')}
      />
    </Section>
  );
}

type NoneProps = { isSearch: boolean; onClear: () => void; onAdd: (() => void) | undefined };

function NoDepartments({ isSearch, onClear, onAdd }: NoneProps) {
  if (isSearch)
    return (
      <EmptyState
        icon={<Building2 />}
        title="No departments found"
        hint="No matches."
        action={<SelfRemovingButton onPress={onClear}>Clear search</SelfRemovingButton>}
      />
    );
  return (
    <EmptyState
      icon={<Building2 />}
      title="No departments yet"
      hint="Departments don’t affect permissions."
      action={onAdd && <Button onPress={onAdd}>Add Department</Button>}
    />
  );
}

const Section = styled.section`
  --card-width: 300px;
`;

const Bar = styled.div`
  display: flex;
  max-width: 480px;
  margin-bottom: ${theme.space[4]};
`;

function useReactivating() {
  const { update } = useDepartmentActions();
  return useAction(async (id: string) => {
    await update(id, { isActive: true });
    showSuccess('Department updated successfully');
  }, 'Failed to save department');
}

export function DepartmentStats() {
  const { data, error } = useDepartmentStats();
  const unknown = error ? '–' : undefined;
  return (
    <StatCards
      label="Department statistics"
      stats={[
        { label: 'Total Departments', value: data?.total ?? unknown },
        { label: 'Active Departments', value: data?.active ?? unknown },
        { label: 'Total Employees', value: data?.employees ?? unknown },
      ]}
    />
  );
}
