import { UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { messageOf } from '../../lib/api-error.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { usePointerOver, useSteadyOrder } from '../../lib/use-steady-order.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { useIsOnline } from '../../realtime/presence.ts';
import { Button } from '../../ui/button.tsx';
import { CardSurface } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { theme } from '../../ui/theme.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { DepartmentTiles } from './department-tiles.tsx';
import { MemberCard } from './member-card.tsx';
import { MemberGrid } from './member-grid.ts';
import { MemberSkeletons } from './member-skeletons.tsx';
import { TeamFilterBar } from './team-filter-bar.tsx';
import { useTeam } from './use-team.ts';

const WHOLE = { search: '', department: '', page: '1' };

/** Everyone by name, by the department and search in the address. */
export function TeamList() {
  const [filters, setFilters] = useUrlState(WHOLE);
  const search = useDebounced(filters.search);
  const isOnline = useIsOnline();
  const { data, error, isValidating, mutate } = useTeam({ ...filters, search });
  const { isOver, handlers } = usePointerOver();
  const users = useSteadyOrder(data?.data ?? [], isOver);
  const content = (): ReactNode => {
    if (users.length > 0)
      return (
        <MemberGrid {...handlers}>
          {users.map((user) => (
            <li key={user._id}>
              <MemberCard user={user} isOnline={isOnline(user)} />
            </li>
          ))}
        </MemberGrid>
      );
    if (data)
      return (
        <CardSurface>
          <EmptyState
            icon={<UsersRound />}
            title="No team members found"
            hint="Nobody fits this search and department."
            action={<Button onPress={() => setFilters(WHOLE, 'step')}>Show everyone</Button>}
          />
        </CardSurface>
      );
    if (error)
      return (
        <CardSurface>
          <ErrorState
            title="Failed to load team members"
            detail={messageOf(error, '')}
            onRetry={() => void mutate()}
            isRetrying={isValidating}
          />
        </CardSurface>
      );
    return <MemberSkeletons />;
  };
  return (
    <>
      <DepartmentTiles
        selected={filters.department}
        onSelect={(department) => setFilters({ department, page: '1' }, 'step')}
      />
      <section aria-label="Team members">
        <VisuallyHidden as="h2">Team members</VisuallyHidden>
        <TeamFilterBar filters={filters} onChange={setFilters} />
        {content()}
        {data && data.totalPages > 1 && (
          <Pages>
            <Pagination
              page={data.page}
              totalPages={data.totalPages}
              total={data.total}
              onPage={(page) => setFilters({ page: String(page) }, 'step')}
            />
          </Pages>
        )}
      </section>
    </>
  );
}

const Pages = styled.div`
  margin-top: ${theme.space[5]};
`;
