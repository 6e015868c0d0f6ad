import { saveFile } from '#entities/document/save-file.ts';
import { fetchDocument } from '#entities/document/use-documents.ts';
import { useAction } from '#ui/overlays/use-action.ts';

/** Downloads a document by a fresh link. */
export function useDownload() {
  return useAction(
    async (id: string) => {
      const { downloadUrl } = await fetchDocument(id);
      return saveFile(downloadUrl);
    },
    'Failed to download document',
    'Download failed',
  );
}
