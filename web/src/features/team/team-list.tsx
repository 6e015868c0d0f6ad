import type { User } from '@atrium/proto-events/people';
import { UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { usePresence } from '#entities/user/presence.ts';
import { NO_DEPARTMENT, useUserPage } from '#entities/user/use-users.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { Button } from '#ui/button.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { CardPages } from '#ui/pages/card-pages.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonCards } from '#ui/pages/skeleton-cards.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { DepartmentTiles, useTeamDepartments } from './department-tiles.tsx';
import { MemberCard } from './member-card.tsx';

type TeamFilters = { search: string; department: string; page: string };

type Props = {
  filters: TeamFilters;
  onChange: (changes: Partial<TeamFilters>, kind: 'push' | 'replace') => void;
};

const ALL = 'all';

function TeamFilterBar({ filters, onChange }: Props) {
  const { departments = [] } = useTeamDepartments();
  return (
    <Bar role="search">
      <SearchField
        label="Search team members"
        placeholder="Search by name or email"
        value={filters.search}
        onChange={(search) => onChange({ search, page: '1' }, 'replace')}
      />
      <Choice>
        <Select
          label="Department"
          isLabelHidden
          options={[
            { value: ALL, label: 'All Departments' },
            { value: NO_DEPARTMENT, label: 'No department' },
            ...departments.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
          value={filters.department || ALL}
          onChange={(chosen) => onChange({ department: chosen === ALL ? '' : chosen, page: '1' }, 'push')}
        />
      </Choice>
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[2]};
  max-width: 640px;
  margin-bottom: ${theme.space[4]};
`;

const Choice = styled.div`
  flex: 0 1 200px;
  ${theme.media.small} {
    flex: 1 1 100%;
  }
`;

const MAX_PAGE_SIZE = 100;
const WORKLOAD_PAGE_SIZE = 25;

const NO_FILTERS = { search: '', department: '', page: '1' };

type TeamListProps = {
  /** Shows people in this way instead of as cards. */
  renderUsers?: ((users: readonly User[]) => ReactNode) | undefined;
};

export function TeamList({ renderUsers }: TeamListProps) {
  const [filters, setFilters] = useUrlState(NO_FILTERS);
  const search = useDebounced(filters.search);
  const team = useUserPage({ ...filters, search, limit: renderUsers ? WORKLOAD_PAGE_SIZE : MAX_PAGE_SIZE });
  const presenceOf = usePresence(team.data?.data ?? []);
  return (
    <>
      <DepartmentTiles
        selected={filters.department}
        onSelect={(department) => setFilters({ department, page: '1' }, 'push')}
      />
      <section aria-label="Team members">
        <VisuallyHidden as="h2">Team members</VisuallyHidden>
        <TeamFilterBar filters={filters} onChange={setFilters} />
        <CardPages
          query={team}
          list={JSON.stringify({ ...filters, search })}
          renderItems={renderUsers}
          card={(user) => <MemberCard user={user} presence={presenceOf(user)} />}
          skeletons={
            <SkeletonCards
              label="Loading team members"
              mark={{ width: 48, height: 48, isRound: true }}
              beside={[54, 32]}
              below={[48, 70, 40, 54]}
            />
          }
          none={
            <EmptyState
              icon={<UsersRound />}
              title="No team members found"
              hint="No one matches this search and department."
              action={<Button onPress={() => setFilters(NO_FILTERS, 'push')}>Show everyone</Button>}
            />
          }
          failure="Failed to load team members"
          onPage={(page) => setFilters({ page: String(page) }, 'push')}
        />
      </section>
    </>
  );
}
