import { saveFile } from '../../../entities/document/save-file.ts';
import { useAction } from '../../../ui/overlays/use-action.ts';
import { fetchAttachment } from './image-links.ts';

/** Downloads a file of a message by a link made this moment. */
export function useAttachmentDownload() {
  return useAction(
    async (id: string) => saveFile((await fetchAttachment(id)).downloadUrl),
    'Failed to download file',
    'Download failed',
  );
}
