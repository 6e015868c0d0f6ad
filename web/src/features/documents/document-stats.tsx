import { describeSize } from '#entities/document/document-labels.ts';
import { useDocumentStats } from '#entities/document/use-documents.ts';
import { StatCards } from '#ui/pages/stat-cards.tsx';

const ZEROES = { total: 0, totalSize: 0, recentUploads: 0, categories: 0 };

/** Shows zeros if the statistics fail to load. */
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
