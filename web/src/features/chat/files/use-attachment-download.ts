import { saveFile } from '../../../entities/document/save-file.ts';
import { useAction } from '../../../ui/overlays/use-action.ts';
import { newLinkOf } from './links.ts';

/** Downloads a file of a message by a link made this moment. */
export function useAttachmentDownload() {
  return useAction(async (id: string) => saveFile(await newLinkOf(id)), 'Failed to download file', 'Download failed');
}
