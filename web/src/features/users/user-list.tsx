import { UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { useAllDepartments } from '#entities/department/use-departments.ts';
import { useUserPage, useUserStats } from '#entities/user/use-users.ts';
import { messageOf } from '#lib/api/api-error.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useStableList } from '#lib/hooks/use-stable-order.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { useClampedPage } from '#lib/query/paging.ts';
import { Button } from '#ui/button.tsx';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { Box, Inline } from '#ui/layout/primitives.ts';
import { Notice } from '#ui/notice.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { StatCards } from '#ui/pages/stat-cards.tsx';
import { theme } from '#ui/theme.ts';
import { Pager } from './pager.tsx';
import type { UserActionsProps } from './user-actions-menu.tsx';
import { NO_FILTERS, PAGE_SIZE, UserFilterBar, type UserFilters } from './user-filter-bar.tsx';
import { UserTable } from './user-table.tsx';

function LoadErrors({ filters }: { filters: UserFilters }) {
  const parts = [
    { query: useUserPage({ ...filters, limit: PAGE_SIZE }), text: 'Failed to load users', action: 'Retry Users' },
    { query: useUserStats(), text: 'Failed to load user stats', action: 'Retry Stats' },
    { query: useAllDepartments(), text: 'Failed to load departments', action: 'Retry Departments' },
  ];
  const failedParts = parts.filter((part) => part.query.error);
  if (failedParts.length === 0) return null;
  return (
    <Box $below={4}>
      <Notice tone="danger">
        {failedParts.map((part) => (
          <p key={part.action}>{part.text}</p>
        ))}
        <Inline $gap={2} $wraps $above={2}>
          {failedParts.map((part) => (
            <Button
              key={part.action}
              size="sm"
              onPress={() => void part.query.mutate()}
              isBusy={part.query.isValidating}
            >
              {part.action}
            </Button>
          ))}
        </Inline>
      </Notice>
    </Box>
  );
}

export function UserList({ canManage, onAction }: Omit<UserActionsProps, 'user'>) {
  const [filters, setFilters] = useUrlState(NO_FILTERS);
  const search = useDebounced(filters.search);
  const settledFilters = { ...filters, search };
  const userPage = useUserPage({ ...settledFilters, limit: PAGE_SIZE });
  const { data, error } = userPage;
  useClampedPage(data, (page) => setFilters({ page: String(page) }));
  const { items: users, handlers } = useStableList(userPage, JSON.stringify(settledFilters));
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
      <LoadErrors filters={settledFilters} />
      <Card
        footer={
          data && data.total > 0 ? (
            <Pager list={data} onPage={(page) => setFilters({ page: String(page) }, 'push')} />
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

export function UserFigures() {
  const { data, error } = useUserStats();
  const unknown = error ? '–' : undefined;
  return (
    <StatCards
      label="User statistics"
      stats={[
        { label: 'Total Users', value: data?.total ?? unknown },
        { label: 'Admins', value: data?.admins ?? unknown },
        { label: 'Project Managers', value: data?.projectManagers ?? unknown },
        { label: 'Members', value: data?.members ?? unknown },
        { label: 'Active', value: data?.active ?? unknown },
        { label: 'Inactive', value: data?.inactive ?? unknown },
        { label: 'New This Month', value: data?.newThisMonth ?? unknown },
      ]}
    />
  );
}
