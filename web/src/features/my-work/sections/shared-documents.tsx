import { isolate } from '@atrium/proto-events/text/isolate';
import { FileText } from 'lucide-react';
import { FileIcon } from '#entities/document/file-icon.tsx';
import { useSharedDocuments } from '#entities/document/use-shared-documents.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { DividedList } from '#ui/layout/primitives.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { QuietState } from './quiet-state.tsx';
import { SectionRow } from './section-rows.tsx';

export function SharedDocuments() {
  const query = useSharedDocuments();
  return (
    <Card title="Shared with you">
      <AsyncContent query={query} failure="Failed to load shared documents" skeletons={<SkeletonRows count={3} />}>
        {({ data }) =>
          data.length > 0 ? (
            <DividedList>
              {data.map(({ _id, name, mimetype, sharedBy, sharedAt }) => (
                <SectionRow
                  key={_id}
                  to={`/documents?preview=${_id}`}
                  leading={<FileIcon mimetype={mimetype} size={32} />}
                  title={<bdi>{name}</bdi>}
                  detail={
                    <>
                      {isolate(displayName(sharedBy))} · <RelativeTime time={sharedAt} />
                    </>
                  }
                />
              ))}
            </DividedList>
          ) : (
            <QuietState
              icon={<FileText />}
              title="No shared documents"
              hint="Documents that others share with you will appear here."
              to="/documents"
              action="Open Document Hub"
            />
          )
        }
      </AsyncContent>
    </Card>
  );
}
