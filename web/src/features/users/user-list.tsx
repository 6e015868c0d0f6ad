import { UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { usePeoplePage } from '#entities/user/use-people.ts';
import { messageOf } from '#lib/api/api-error.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useStableList } from '#lib/hooks/use-stable-order.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { useClampedPage } from '#lib/query/use-clamped-page.ts';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { LoadErrors } from './load-errors.tsx';
import { Pager } from './pager.tsx';
import type { UserActionsProps } from './user-actions-menu.tsx';
import { UserFilterBar } from './user-filter-bar.tsx';
import { NO_FILTERS, PAGE_SIZE } from './user-filters.ts';
import { UserTable } from './user-table.tsx';

/** All users, ten per page, filtered by the URL. */
export function UserList({ canManage, onAction }: Omit<UserActionsProps, 'user'>) {
  const [filters, setFilters] = useUrlState(NO_FILTERS);
  const search = useDebounced(filters.search);
  const asked = { ...filters, search };
  const answer = usePeoplePage({ ...asked, limit: PAGE_SIZE });
  const { data, error } = answer;
  useClampedPage(data, (page) => setFilters({ page: String(page) }));
  const { items: users, handlers } = useStableList(answer, JSON.stringify(asked));
  const content = (): ReactNode => {
    if (users.length > 0)
      return (
        <UserTable
          users={users}
          sorting={{
            by: filters.sort,
            isDescending: filters.order === 'desc',
            onSort: ({ by, isDescending }) =>
              setFilters({ sort: by, order: isDescending ? 'desc' : 'asc', page: '1' }, 'push'),
          }}
          canManage={canManage}
          onAction={onAction}
        />
      );
    if (data && data.total === 0)
      return (
        <EmptyState
          icon={<UsersRound />}
          title="No users found"
          hint="No one matches these filters."
          action={<SelfRemovingButton onPress={() => setFilters(NO_FILTERS, 'push')}>Clear filters</SelfRemovingButton>}
        />
      );
    if (error) return <Missing>{messageOf(error, 'Failed to load users')}</Missing>;
    return <SkeletonRows count={8} />;
  };
  return (
    <>
      <LoadErrors filters={asked} />
      <Card
        footer={
          data && data.total > 0 ? (
            <Pager
              page={data.page}
              totalPages={data.totalPages}
              shown={data.data.length}
              total={data.total}
              more={data.more}
              onPage={(page) => setFilters({ page: String(page) }, 'push')}
            />
          ) : undefined
        }
      >
        <UserFilterBar filters={filters} onChange={setFilters} />
        <div {...handlers}>{content()}</div>
      </Card>
    </>
  );
}

const Missing = styled.p`
  padding: ${theme.space[8]};
  text-align: center;
  color: ${theme.color.text2};
`;
