import { saveFile } from '#entities/document/save-file.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { fetchAttachment } from './image-links.ts';

/** Downloads an attachment by a fresh link. */
export function useAttachmentDownload() {
  return useAction(
    async (id: string) => saveFile((await fetchAttachment(id)).downloadUrl),
    'Failed to download file',
    'Download failed',
  );
}
