import type { Attachment } from '@atrium/proto-events/http/chat-attachments';
import { Download } from 'lucide-react';
import { describeSize } from '#entities/document/document-labels.ts';
import { FileIcon } from '#entities/document/file-icon.tsx';
import { FileRow } from '#entities/document/file-row.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { TextButton } from '#ui/text-button.tsx';
import { useAttachmentDownload } from './use-attachment-download.ts';

/** A file with a download button; its name opens the viewer. */
export function AttachmentRow({ file, onOpen }: { file: Attachment; onOpen: () => void }) {
  const { run: download, isBusy } = useAttachmentDownload();
  const { _id, name, size, mimetype, fileLost } = file;
  return (
    <FileRow
      icon={<FileIcon mimetype={mimetype} />}
      title={<AttachmentName file={file} onOpen={onOpen} />}
      details={[fileLost ? 'The file is no longer in storage' : describeSize(size)]}
    >
      {!fileLost && (
        <IconButton label={`Download ${name}`} isDisabled={isBusy} onPress={() => void download(_id)}>
          <Download />
        </IconButton>
      )}
    </FileRow>
  );
}

/** Plain text if the file is no longer in storage. */
export function AttachmentName({ file: { name, fileLost }, onOpen }: { file: Attachment; onOpen: () => void }) {
  if (fileLost) return name;
  return (
    <TextButton aria-label={`Open ${name}`} onPress={onOpen}>
      {name}
    </TextButton>
  );
}
