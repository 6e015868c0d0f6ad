import type { Project } from '@atrium/proto-events/http/projects';
import { FolderKanban, SearchX } from 'lucide-react';
import { Suspense } from 'react';
import { styled } from 'styled-components';
import { PROJECTS_PER_PAGE, useProjectPages, useProjectStats } from '#entities/project/use-projects.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useStableList } from '#lib/hooks/use-stable-order.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { formatCount } from '#lib/number-formats.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { Button } from '#ui/button.tsx';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { Box } from '#ui/layout/primitives.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { CardSurface } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonBlock } from '#ui/pages/skeleton.tsx';
import { SkeletonCards } from '#ui/pages/skeleton-cards.tsx';
import { StatCards } from '#ui/pages/stat-cards.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { ProjectCard } from './project-card.tsx';
import { filterQuery, isFiltered, NO_FILTERS, ProjectFilterBar } from './project-filter-bar.tsx';

const ProjectTimeline = lazyNamed(() => import('./project-timeline.tsx'), 'ProjectTimeline');

type Props = {
  isTimeline: boolean;
  onEdit: (project: Project) => void;
  /** Undefined if the user cannot create projects. */
  onCreate?: (() => void) | undefined;
};

/** Lists the projects that match the filters in the URL, loaded 100 at a time. */
export function ProjectList({ isTimeline, onEdit, onCreate }: Props) {
  const [filters, setFilters] = useUrlState(NO_FILTERS);
  const search = useDebounced(filters.search);
  const settledFilters = { ...filters, search };
  const pages = Math.max(1, Number.parseInt(settledFilters.shown, 10) || 1);
  const projectPages = useProjectPages(filterQuery(settledFilters), pages);
  const { data } = projectPages;
  const paging = loadMoreProps(projectPages, pages, (count) => setFilters({ shown: String(count) }));
  const { items: projects, handlers } = useStableList(projectPages, JSON.stringify(settledFilters));
  const remainingCount = data ? data.total - data.data.length : 0;
  return (
    <section aria-label="Projects">
      <VisuallyHidden as="h2">Projects</VisuallyHidden>
      <ProjectFilterBar filters={filters} onChange={(changes, kind) => setFilters({ ...changes, shown: '1' }, kind)} />
      <AsyncContent
        query={projectPages}
        failure="Failed to load projects"
        skeletons={<SkeletonCards label="Loading projects" as={Grid} below={[44, 84, 50, 84, 56, 30]} />}
        isFramed
      >
        {() =>
          projects.length > 0 && isTimeline ? (
            <Suspense fallback={<SkeletonBlock height={320} />}>
              <ProjectTimeline projects={projects} unloaded={remainingCount} />
            </Suspense>
          ) : projects.length > 0 ? (
            <Grid {...handlers}>
              {projects.map((project) => (
                <li key={project._id}>
                  <ProjectCard project={project} onEdit={() => onEdit(project)} />
                </li>
              ))}
            </Grid>
          ) : (
            <NoProjects
              isFiltered={isFiltered(filters)}
              onClear={() => setFilters(NO_FILTERS, 'push')}
              onCreate={onCreate}
            />
          )
        }
      </AsyncContent>
      {paging.hasMore && (
        <Box $above={5}>
          <ShowMore more={paging} variant="secondary" size="md">
            Show {Math.min(remainingCount, PROJECTS_PER_PAGE)} more of{' '}
            {formatCount({ total: remainingCount, more: data?.more })}
          </ShowMore>
        </Box>
      )}
    </section>
  );
}

type NoneProps = { isFiltered: boolean; onClear: () => void; onCreate?: (() => void) | undefined };

function NoProjects({ isFiltered, onClear, onCreate }: NoneProps) {
  const none = isFiltered ? (
    <EmptyState
      icon={<SearchX />}
      title="No projects found"
      hint="Try adjusting your filters"
      action={<SelfRemovingButton onPress={onClear}>Clear filters</SelfRemovingButton>}
    />
  ) : (
    <EmptyState
      icon={<FolderKanban />}
      title="No projects found"
      hint={
        onCreate
          ? 'Create your first project to get started'
          : 'Projects will appear here as soon as an administrator creates one.'
      }
      action={onCreate && <Button onPress={onCreate}>Create Your First Project</Button>}
    />
  );
  return <CardSurface>{none}</CardSurface>;
}

const Grid = styled.ul`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: ${theme.space[4]};
  > li {
    display: grid;
    min-width: 0;
  }
  @media (max-width: 859px) {
    grid-template-columns: minmax(0, 1fr);
    gap: ${theme.space[3]};
  }
`;

/** The tracker's counts. A canceled project counts as paused here, but its card reads 'Planning'. */
export function ProjectStats() {
  const { data, error } = useProjectStats();
  const unknown = error ? '–' : undefined;
  return (
    <StatCards
      label="Project statistics"
      stats={[
        { label: 'Completed', value: data?.completed ?? unknown },
        { label: 'Active', value: data?.inProgress ?? unknown },
        { label: 'Planning', value: data?.notStarted ?? unknown },
        { label: 'Paused', value: data ? data.onHold + data.cancelled : unknown },
      ]}
    />
  );
}
