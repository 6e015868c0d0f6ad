import type { Document } from '@atrium/proto-events/http/documents';
import { FileText, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { DEFAULT_HUB_FILTERS, type HubFilterState, isNarrowed } from '#entities/document/document-filters.ts';
import { describeSize } from '#entities/document/document-labels.ts';
import { useDocumentHub, useDocumentStats } from '#entities/document/use-documents.ts';
import { ProjectFilter } from '#entities/project/project-filter.tsx';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { isId } from '#lib/paths.ts';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { CardPages } from '#ui/pages/card-pages.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonCards } from '#ui/pages/skeleton-cards.tsx';
import { StatCards } from '#ui/pages/stat-cards.tsx';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import type { CardActionsProps } from './card-actions.tsx';
import { expectsThumbnail } from './card-band.tsx';
import { DocumentCard } from './document-card.tsx';
import { DocumentFilterBar } from './document-filter-bar.tsx';

type Props = Pick<CardActionsProps, 'onAction'> & {
  downloadingIds: readonly string[];
  renderOverlay: (documents: readonly Document[]) => ReactNode;
};

export function DocumentList({ onAction, downloadingIds, renderOverlay }: Props) {
  const [urlState, setUrlState] = useUrlState(DEFAULT_HUB_FILTERS);
  const search = useDebounced(urlState.search);
  const project = isId(urlState.project) ? urlState.project : '';
  const filters = { ...urlState, project, search };
  const documents = useDocumentHub(filters);
  const hasBands = documents.data?.data.some(expectsThumbnail) ?? false;
  const change = (changes: Partial<HubFilterState>, kind?: 'push') => setUrlState({ ...changes, page: '1' }, kind);
  return (
    <section aria-label="Documents">
      <VisuallyHidden as="h2">Documents</VisuallyHidden>
      {project && <ProjectFilter id={project} label="Documents" onClear={() => change({ project: '' }, 'push')} />}
      <DocumentFilterBar filters={urlState} onChange={change} />
      <CardPages
        showsCount
        query={documents}
        list={JSON.stringify(filters)}
        card={(document) => (
          <DocumentCard
            document={document}
            onAction={onAction}
            hasBand={hasBands}
            onTag={(tag) => change({ tag }, 'push')}
            isDownloading={downloadingIds.includes(document._id)}
          />
        )}
        skeletons={
          <SkeletonCards
            label="Loading documents"
            mark={{ width: 40, height: 40 }}
            beside={[52, 24]}
            below={[84, 40, 60]}
          />
        }
        none={
          <NoDocuments
            isSearch={isNarrowed(filters)}
            onClear={() => setUrlState({ ...DEFAULT_HUB_FILTERS, project }, 'push')}
          />
        }
        failure="Failed to load documents"
        onPage={(page) => setUrlState({ page: String(page) }, 'push')}
      />
      {renderOverlay(documents.data?.data ?? [])}
    </section>
  );
}

function NoDocuments({ isSearch, onClear }: { isSearch: boolean; onClear: () => void }) {
  return isSearch ? (
    <EmptyState
      icon={<SearchX />}
      title="No documents found"
      hint="No documents you can see match this search."
      action={<SelfRemovingButton onPress={onClear}>Clear search</SelfRemovingButton>}
    />
  ) : (
    <EmptyState
      icon={<FileText />}
      title="No documents yet"
      hint="Upload a file. It stays private until you share it or change its visibility."
    />
  );
}

const ZEROES = { total: 0, totalSize: 0, recentUploads: 0, categories: 0 };

export function DocumentStats() {
  const { data, error } = useDocumentStats();
  const stats = data ?? (error ? ZEROES : undefined);
  return (
    <StatCards
      label="Document statistics"
      stats={[
        { label: 'Total Documents', value: stats?.total },
        { label: 'Storage Used', value: stats && describeSize(stats.totalSize) },
        { label: 'Recent Uploads', value: stats?.recentUploads },
        { label: 'Categories', value: stats?.categories },
      ]}
    />
  );
}
