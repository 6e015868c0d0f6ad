import type { User } from '@atrium/proto-events/people';
import { UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { messageOf } from '../../lib/api-error.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { theme } from '../../ui/theme.ts';
import { LoadFaults } from './load-faults.tsx';
import { useUserList } from './use-users.ts';
import { UserFilterBar } from './user-filter-bar.tsx';
import { UserTable } from './user-table.tsx';

const NO_FILTERS = { search: '', role: '', status: '', department: '', page: '1' };

type Props = { onView: (user: User) => void; onEdit?: ((user: User) => void) | undefined };

/** Everyone, ten at a time, by the filters in the address. */
export function UserList({ onView, onEdit }: Props) {
  const [filters, setFilters] = useUrlState(NO_FILTERS);
  const search = useDebounced(filters.search);
  const { data, error } = useUserList({ ...filters, search });
  const content = (): ReactNode => {
    if (data && data.data.length > 0) return <UserTable users={data.data} onView={onView} onEdit={onEdit} />;
    if (data)
      return (
        <EmptyState
          icon={<UsersRound />}
          title="No one found"
          hint="Nobody fits these filters."
          action={<Button onPress={() => setFilters(NO_FILTERS)}>Clear filters</Button>}
        />
      );
    if (error) return <Missing>{messageOf(error, 'Failed to load users')}</Missing>;
    return <SkeletonRows count={8} />;
  };
  return (
    <>
      <LoadFaults filters={{ ...filters, search }} />
      <Card
        title="Users"
        action={data && <Count>{data.data.length} on this page</Count>}
        footer={
          data && data.total > 0 ? (
            <Pagination
              page={data.page}
              totalPages={data.totalPages}
              total={data.total}
              onPage={(page) => setFilters({ page: String(page) })}
            />
          ) : undefined
        }
      >
        <UserFilterBar filters={filters} onChange={setFilters} />
        {content()}
      </Card>
    </>
  );
}

const Count = styled.span`
  font: ${theme.text.sm};
  color: ${theme.color.text2};
  font-variant-numeric: tabular-nums;
`;

const Missing = styled.p`
  padding: ${theme.space[8]};
  text-align: center;
  color: ${theme.color.text2};
`;
