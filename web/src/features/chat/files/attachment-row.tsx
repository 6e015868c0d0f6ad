import type { Attachment } from '@atrium/proto-events/http/chat/attachments';
import { Download } from 'lucide-react';
import { describeSize } from '#entities/document/document-labels.ts';
import { downloadFile } from '#entities/document/download-file.ts';
import { FileIcon } from '#entities/document/file-icon.tsx';
import { FileRow } from '#entities/document/file-row.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { TextButton } from '#ui/text-button.tsx';
import { fetchAttachment } from './image-links.ts';

export function useAttachmentDownload() {
  return useAction(
    async (id: string) => downloadFile((await fetchAttachment(id)).downloadUrl),
    'Failed to download file',
    'Download failed',
  );
}

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

export function AttachmentName({ file: { name, fileLost }, onOpen }: { file: Attachment; onOpen: () => void }) {
  if (fileLost) return name;
  return (
    <TextButton aria-label={`Open ${name}`} onPress={onOpen}>
      {name}
    </TextButton>
  );
}
