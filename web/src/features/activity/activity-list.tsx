import { ScrollText } from 'lucide-react';
import { useActivity } from '#entities/activity/use-activity.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { useClampedPage } from '#lib/query/use-clamped-page.ts';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { Pagination } from '#ui/pages/pagination.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { ActivityFilterBar } from './activity-filter-bar.tsx';
import { ActivityTable } from './activity-table.tsx';

const NO_FILTERS = { user: '', kind: '', from: '', to: '', page: '1' };

/** The activity log, paginated and filtered by the URL. */
export function ActivityList() {
  const [filters, setFilters] = useUrlState(NO_FILTERS);
  const answer = useActivity(true, filters);
  const { data } = answer;
  useClampedPage(data, (page) => setFilters({ page: String(page) }));
  const turnPage = (page: number) => setFilters({ page: String(page) }, 'push');
  return (
    <Card footer={data && data.total > 0 ? <Pagination {...data} onPage={turnPage} /> : undefined}>
      <ActivityFilterBar filters={filters} onChange={setFilters} />
      <AsyncContent of={answer} failure="Failed to load activity" skeletons={<SkeletonRows count={8} />}>
        {({ data: entries }) =>
          entries.length > 0 ? (
            <ActivityTable entries={entries} />
          ) : (
            <EmptyState
              icon={<ScrollText />}
              title="No activity found"
              hint="Nothing matches these filters."
              action={
                <SelfRemovingButton onPress={() => setFilters(NO_FILTERS, 'push')}>Clear filters</SelfRemovingButton>
              }
            />
          )
        }
      </AsyncContent>
    </Card>
  );
}
