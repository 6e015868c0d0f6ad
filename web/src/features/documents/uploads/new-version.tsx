import { Upload } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { messageOf } from '#lib/api/api-error.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';
import { Button } from '#ui/button.tsx';
import { showError, showSuccess } from '#ui/overlays/toast.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { useDocumentActions } from '../use-document-actions.ts';
import { discardSent } from './send-document.ts';
import { UnfinishedUploads } from './unfinished-uploads.tsx';
import { newVersions } from './upload-queue.ts';
import { UploadRow } from './upload-row.tsx';

/** Uploads a file as the next version; idempotent after a lost response. */
function useSendVersion(document: string) {
  const { addVersion } = useDocumentActions();
  const refresh = useInvalidate();
  return (file: File) =>
    newVersions.enqueue([{ document, file }], {
      send: async (version, options) => {
        await addVersion(version.document, version.file, options);
        showSuccess('New version uploaded successfully');
      },
      discard: (key) => void discardSent(key).then(() => refresh('/documents')),
      explain: (error) => {
        const message = messageOf(error, 'Failed to upload files');
        showError('Failed to upload files', message);
        return message;
      },
    });
}

export function NewVersion({ document }: { document: string }) {
  const send = useSendVersion(document);
  return (
    <FileTrigger onSelect={(files) => files?.[0] && send(files[0])}>
      <Button variant="primary" icon={<Upload />}>
        Upload New Version
      </Button>
    </FileTrigger>
  );
}

/** Uploads of new versions from any screen, and unfinished ones. */
export function NewVersions({ document }: { document: string }) {
  const send = useSendVersion(document);
  const all = useSyncExternalStore(newVersions.subscribe, newVersions.current);
  const uploads = all.filter(({ item }) => item.document === document);
  return (
    <>
      <UnfinishedUploads document={document} onFile={send} />
      {uploads.length > 0 && (
        <CardSurface as="ul" aria-label="New versions">
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} file={upload.item.file} queue={newVersions} />
          ))}
        </CardSurface>
      )}
    </>
  );
}
