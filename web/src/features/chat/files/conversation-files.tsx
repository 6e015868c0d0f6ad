import type { ConversationAttachment } from '@atrium/proto-events/http/chat/attachments';
import { Download, Files as FilesIcon } from 'lucide-react';
import { Suspense, useState } from 'react';
import { styled } from 'styled-components';
import { useConversationFiles } from '#entities/conversation/use-conversation-files.ts';
import { describeSize } from '#entities/document/document-labels.ts';
import { FileIcon } from '#entities/document/file-icon.tsx';
import { FileList, FileRow } from '#entities/document/file-row.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { AttachmentImage, isImageAttachment } from './attachment-image.tsx';
import { AttachmentName, useAttachmentDownload } from './attachment-row.tsx';
import { ShowMessageButton } from './show-message-button.tsx';

const AttachmentViewer = lazyNamed(() => import('./attachment-viewer.tsx'), 'AttachmentViewer');

export function ConversationFiles({ conversationId }: { conversationId: string }) {
  const query = useConversationFiles(conversationId);
  const { files } = query;
  const download = useAttachmentDownload();
  const [shown, setShown] = useState<string | null>(null);
  return (
    <>
      <AsyncContent query={query} failure="Failed to load files" skeletons={<SkeletonRows count={4} />}>
        {() =>
          files.length === 0 ? (
            <EmptyState icon={<FilesIcon />} title="No files yet" hint="Files sent in this conversation appear here." />
          ) : (
            <FileList aria-label="Files of this conversation">
              {files.map((file) => (
                <li key={file._id}>
                  <Row
                    file={file}
                    isBusy={download.inFlight.includes(file._id)}
                    onOpen={() => setShown(file._id)}
                    onDownload={() => void download.run(file._id)}
                  />
                </li>
              ))}
            </FileList>
          )
        }
      </AsyncContent>
      {query.more.hasMore && <ShowMore more={query.more} isApart />}
      {shown !== null && (
        <Suspense fallback={null}>
          <AttachmentViewer
            files={files.filter(({ fileLost }) => !fileLost)}
            shown={shown}
            onShow={setShown}
            onClose={() => setShown(null)}
          />
        </Suspense>
      )}
    </>
  );
}

type RowProps = { file: ConversationAttachment; isBusy: boolean; onOpen: () => void; onDownload: () => void };

function Row({ file, isBusy, onOpen, onDownload }: RowProps) {
  const { size, mimetype, uploadedBy, createdAt, fileLost } = file;
  const icon = isImageAttachment(file) ? (
    <Thumb aria-hidden="true">
      <AttachmentImage image={file} onOpen={onOpen} isBesideName />
    </Thumb>
  ) : (
    <FileIcon mimetype={mimetype} />
  );
  const fileText = fileLost ? 'The file is no longer in storage' : describeSize(size);
  return (
    <FileRow
      icon={icon}
      title={<AttachmentName file={file} onOpen={onOpen} />}
      details={[fileText, displayName(uploadedBy), <RelativeTime key="time" time={createdAt} />]}
    >
      <ShowMessageButton of={file} />
      {!fileLost && (
        <IconButton label={`Download ${file.name}`} isDisabled={isBusy} onPress={onDownload}>
          <Download />
        </IconButton>
      )}
    </FileRow>
  );
}

const Thumb = styled.div`
  flex: none;
  width: 40px;
  height: 40px;
`;
