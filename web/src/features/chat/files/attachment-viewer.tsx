import type { Attachment, getAttachmentPreview, saveAttachment } from '@atrium/proto-events/http/chat/attachments';
import { useEffect, useEffectEvent } from 'react';
import { assertFileFits } from '#entities/document/upload-limits.ts';
import { documentExists } from '#entities/document/use-documents.ts';
import { FileViewer } from '#entities/file-viewer/file-viewer.tsx';
import type { ViewedFile } from '#entities/file-viewer/viewed-file.ts';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions, useIdempotencyKeyByName } from '#lib/hooks/use-idempotency-key.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { useAttachmentDownload } from './attachment-row.tsx';

/** The document is created asynchronously by the object store's event; polled with increasing delays. */
const INITIAL_POLL_DELAY_MS = 200;
const MAX_POLLS = 9;

const NOT_SAVED_YET = 'The file will appear in Document Hub once file storage responds, unless you run out of space.';

function useSaveAttachment() {
  const withKey = useIdempotencyKeyByName();
  return useAction(async ({ _id: id, size }: Pick<Attachment, '_id' | 'size'>) => {
    await assertFileFits({ size });
    const saved = await withKey(id, (key) =>
      call<typeof saveAttachment>('POST /chat/attachments/:id/save', { params: { id } }, idempotencyOptions(key)),
    );
    if (!(await waitForDocument(saved.document))) {
      // Another upload may have used the quota in the meantime.
      await assertFileFits({ size });
      throw new Error(NOT_SAVED_YET);
    }
    showSuccess('Saved to Document Hub', 'It is private until you share it.');
  }, 'Failed to save to Document Hub');
}

async function waitForDocument(document: string): Promise<boolean> {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    await new Promise((resolve) => setTimeout(resolve, INITIAL_POLL_DELAY_MS * 1.6 ** poll));
    if (await documentExists(document)) return true;
  }
  return false;
}

type Props = {
  files: readonly Attachment[];
  shown: string;
  onShow: (id: string) => void;
  onClose: () => void;
};

export function AttachmentViewer({ files, shown, onShow, onClose }: Props) {
  const download = useAttachmentDownload();
  const save = useSaveAttachment();
  const at = files.findIndex(({ _id }) => _id === shown);
  const isGone = at < 0;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isGone) close();
  }, [isGone]);
  if (isGone) return null;
  const viewed = files.map(({ _id, name, mimetype, size }): ViewedFile => {
    return {
      key: _id,
      name,
      mimetype,
      size,
      getLink: () => call<typeof getAttachmentPreview>('GET /chat/attachments/:id/preview', { params: { id: _id } }),
      onDownload: () => void download.run(_id),
      onSave: () => void save.run({ _id, size }),
    };
  });
  return <FileViewer files={viewed} at={at} onNavigate={(to) => onShow(files[to]?._id ?? shown)} onClose={onClose} />;
}
