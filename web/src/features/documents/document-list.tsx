import { FileText, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { messageOf } from '../../lib/api/api-error.ts';
import { ProjectFilter } from '../../lib/forms/project-filter.tsx';
import { isId } from '../../lib/is-id.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { CardSurface } from '../../ui/pages/card.tsx';
import { CardGrid } from '../../ui/pages/card-grid.ts';
import { EmptyState } from '../../ui/pages/empty-state.tsx';
import { ErrorState } from '../../ui/pages/error-state.tsx';
import { Pagination } from '../../ui/pages/pagination.tsx';
import { theme } from '../../ui/theme.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import type { CardActionsProps } from './card-actions.tsx';
import { CardSkeletons } from './card-skeletons.tsx';
import { DocumentCard } from './document-card.tsx';
import { useDocumentList } from './use-documents.ts';

const WHOLE = { search: '', page: '1', project: '' };

type Props = Pick<CardActionsProps, 'onAction'> & { downloadingId: string | null };

/** What this person may read, by the search and page in the address. */
export function DocumentList({ onAction, downloadingId }: Props) {
  const [place, setPlace] = useUrlState(WHOLE);
  const search = useDebounced(place.search);
  const project = isId(place.project) ? place.project : '';
  const { data, error, isValidating, mutate } = useDocumentList({ ...place, project, search });
  const content = (): ReactNode => {
    if (data && data.data.length > 0)
      return (
        <CardGrid>
          {data.data.map((document) => (
            <li key={document._id}>
              <DocumentCard document={document} onAction={onAction} isDownloading={downloadingId === document._id} />
            </li>
          ))}
        </CardGrid>
      );
    if (data && data.total > 0)
      return (
        <CardSurface>
          <EmptyState
            icon={<FileText />}
            title="Nothing on this page"
            action={
              <Button onPress={() => setPlace({ page: String(data.totalPages) }, 'push')}>Go to the last page</Button>
            }
          />
        </CardSurface>
      );
    if (data) return <NoDocuments isSearch={search !== ''} onClear={() => setPlace(WHOLE, 'push')} />;
    if (error)
      return (
        <CardSurface>
          <ErrorState
            title="Failed to load documents"
            detail={messageOf(error, '')}
            onRetry={() => void mutate()}
            isRetrying={isValidating}
          />
        </CardSurface>
      );
    return (
      <CardGrid as="div">
        <CardSkeletons />
      </CardGrid>
    );
  };
  return (
    <section aria-label="Documents">
      <VisuallyHidden as="h2">Documents</VisuallyHidden>
      {project ? (
        <ProjectFilter id={project} what="Documents" onClear={() => setPlace({ project: '', page: '1' }, 'push')} />
      ) : (
        <Bar role="search">
          <SearchField
            label="Search by name, description, tag or uploader"
            placeholder="Search documents"
            value={place.search}
            onChange={(words) => setPlace({ search: words, page: '1' })}
          />
        </Bar>
      )}
      {content()}
      {data && data.data.length > 0 && (
        <Pages>
          <Pagination
            page={data.page}
            totalPages={data.totalPages}
            total={data.total}
            more={data.more}
            onPage={(page) => setPlace({ page: String(page) }, 'push')}
          />
        </Pages>
      )}
    </section>
  );
}

function NoDocuments({ isSearch, onClear }: { isSearch: boolean; onClear: () => void }) {
  return (
    <CardSurface>
      {isSearch ? (
        <EmptyState
          icon={<SearchX />}
          title="No documents found"
          hint="Nothing you may see fits this search."
          action={<Button onPress={onClear}>Clear search</Button>}
        />
      ) : (
        <EmptyState
          icon={<FileText />}
          title="No documents yet"
          hint="Drop a file above. It stays private until you share it or change who sees it."
        />
      )}
    </CardSurface>
  );
}

const Bar = styled.div`
  display: flex;
  max-width: 480px;
  margin-bottom: ${theme.space[4]};
`;

const Pages = styled.div`
  margin-top: ${theme.space[5]};
`;
