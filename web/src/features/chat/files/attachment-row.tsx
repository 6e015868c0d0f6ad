import type { Attachment } from '@atrium/proto-events/http/chat-attachments';
import { Download } from 'lucide-react';
import { describeSize } from '../../../entities/document/document-words.ts';
import { FileIcon } from '../../../entities/document/file-icon.tsx';
import { FileRow } from '../../../entities/document/file-row.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useAttachmentDownload } from './use-attachment-download.ts';

/** A file of a message by its name. */
export function AttachmentRow({ file }: { file: Attachment }) {
  const { run: download, isBusy } = useAttachmentDownload();
  const { _id, name, size, mimetype, fileLost } = file;
  return (
    <FileRow
      icon={<FileIcon mimetype={mimetype} />}
      title={name}
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
