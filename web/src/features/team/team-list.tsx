import { UsersRound } from 'lucide-react';
import { usePresence } from '#entities/user/presence.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { Button } from '#ui/button.tsx';
import { CardPages } from '#ui/pages/card-pages.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonCards } from '#ui/pages/skeleton-cards.tsx';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { DepartmentTiles } from './department-tiles.tsx';
import { MemberCard } from './member-card.tsx';
import { TeamFilterBar } from './team-filter-bar.tsx';
import { useTeam } from './use-team.ts';

const WHOLE = { search: '', department: '', page: '1' };

/** All users by name, filtered by the department and search in the URL. */
export function TeamList() {
  const [filters, setFilters] = useUrlState(WHOLE);
  const search = useDebounced(filters.search);
  const answer = useTeam({ ...filters, search });
  const presenceOf = usePresence(answer.data?.data ?? []);
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
          query={answer}
          list={JSON.stringify({ ...filters, search })}
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
              action={<Button onPress={() => setFilters(WHOLE, 'push')}>Show everyone</Button>}
            />
          }
          failure="Failed to load team members"
          onPage={(page) => setFilters({ page: String(page) }, 'push')}
        />
      </section>
    </>
  );
}
