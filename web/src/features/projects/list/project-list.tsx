import type { Project } from '@atrium/proto-events/http/projects';
import { FolderKanban, SearchX } from 'lucide-react';
import { styled } from 'styled-components';
import { useProjectPages } from '#entities/project/use-projects.ts';
import { formatCount } from '#lib/format-count.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useStableList } from '#lib/hooks/use-stable-order.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { loadMoreProps } from '#lib/query/load-more-props.ts';
import { Button } from '#ui/button.tsx';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { Box } from '#ui/layout/primitives.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { CardSurface } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonCards } from '#ui/pages/skeleton-cards.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { ProjectCard } from './project-card.tsx';
import { ProjectFilterBar } from './project-filter-bar.tsx';
import { filterQuery, isFiltered, WHOLE } from './project-filters.ts';

type Props = {
  onEdit: (project: Project) => void;
  /** Undefined if the user cannot create projects. */
  onCreate?: (() => void) | undefined;
};

/** All projects by the filters in the URL, loaded 100 at a time. */
export function ProjectList({ onEdit, onCreate }: Props) {
  const [place, setPlace] = useUrlState(WHOLE);
  const search = useDebounced(place.search);
  const asked = { ...place, search };
  const pages = Math.max(1, Number.parseInt(asked.shown, 10) || 1);
  const answer = useProjectPages(filterQuery(asked), pages);
  const { data } = answer;
  const more = loadMoreProps(answer, pages, (shown) => setPlace({ shown: String(shown) }));
  const { items: projects, handlers } = useStableList(answer, JSON.stringify(asked));
  const rest = data ? data.total - data.data.length : 0;
  return (
    <section aria-label="Projects">
      <VisuallyHidden as="h2">Projects</VisuallyHidden>
      <ProjectFilterBar place={place} onChange={(changes, kind) => setPlace({ ...changes, shown: '1' }, kind)} />
      <AsyncContent
        query={answer}
        failure="Failed to load projects"
        skeletons={<SkeletonCards label="Loading projects" as={Grid} below={[44, 84, 50, 84, 56, 30]} />}
        isFramed
      >
        {() =>
          projects.length > 0 ? (
            <Grid {...handlers}>
              {projects.map((project) => (
                <li key={project._id}>
                  <ProjectCard project={project} onEdit={() => onEdit(project)} />
                </li>
              ))}
            </Grid>
          ) : (
            <NoProjects isFiltered={isFiltered(place)} onClear={() => setPlace(WHOLE, 'push')} onCreate={onCreate} />
          )
        }
      </AsyncContent>
      {more.hasMore && (
        <Box $above={5}>
          <ShowMore more={more} variant="secondary" size="md">
            Show {Math.min(rest, 100)} more of {formatCount({ total: rest, more: data?.more })}
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

export const Grid = styled.ul`
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
