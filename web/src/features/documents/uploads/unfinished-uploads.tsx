import type { cancelDocumentUpload, UnfinishedUpload } from '@atrium/proto-events/http/document-uploads';
import { isolate } from '@atrium/proto-events/text/isolate';
import { FolderInput, X } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { describeSize } from '#entities/document/document-labels.ts';
import { useUnfinishedUploads, wasTouchedRecently } from '#entities/document/use-documents.ts';
import { call } from '#lib/api/api.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Caption, Text } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showError } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { isUploadingInThisTab, resumeUpload } from './send-document.ts';
import { useInterruptedUploads, wasStartedInThisBrowser } from './upload-locks.ts';
import { Row, RowText } from './upload-row.tsx';

type Props = {
  /** Lists only new versions of this document; null lists all uploads, but new versions can then only be discarded. */
  document: string | null;
  onFile: (file: File) => void;
};

/** A browser gives a file only to the page where it was selected, so it must be selected again. */
export function UnfinishedUploads({ document, onFile }: Props) {
  const { data } = useUnfinishedUploads();
  const discard = useDiscardUnfinished();
  const { run, inFlight, failure } = useAction(discard, 'Failed to discard the upload');
  const [confirming, setConfirming] = useState<UnfinishedUpload | null>(null);
  // Renders again as uploads age.
  useNow();
  const isListed = (upload: UnfinishedUpload) => document === null || upload.document === document;
  const unfinished = data?.data.filter((upload) => isListed(upload) && !isUploadingInThisTab(upload._id)) ?? [];
  const interruptedIds = useInterruptedUploads(unfinished.map(({ _id }) => _id));
  const interrupted = unfinished.filter(({ _id }) => interruptedIds.includes(_id));
  const choose = (upload: UnfinishedUpload, file: File | undefined) => {
    if (!file) return;
    if (!isSameFile(upload, file)) {
      showError(
        'This is a different file',
        `Choose the original ${isolate(upload.fileName)} (${describeSize(upload.size)}).`,
      );
      return;
    }
    resumeUpload(upload._id, file);
    onFile(file);
  };
  return (
    <>
      <FormFailure failure={failure} />
      {interrupted.length > 0 && (
        <CardSurface as="ul" aria-label="Unfinished uploads">
          {interrupted.map((upload) => {
            const status = getStatus(upload, document);
            return (
              <Row key={upload._id}>
                <RowText>
                  <Text as="p" $clamp={1} title={upload.fileName} dir="auto">
                    {upload.fileName}
                  </Text>
                  <Caption $tabular>
                    {describeSize(upload.size)} · {STATUS_TEXTS[status]}
                  </Caption>
                </RowText>
                {status === 'interrupted' && (
                  <FileTrigger onSelect={(files) => choose(upload, files?.[0])}>
                    <IconButton label={`Choose ${upload.fileName} again`}>
                      <FolderInput />
                    </IconButton>
                  </FileTrigger>
                )}
                <IconButton
                  label={`Discard ${upload.fileName}`}
                  isDisabled={inFlight.includes(upload._id)}
                  onPress={() => (status === 'elsewhere' ? setConfirming(upload) : void run(upload._id))}
                >
                  <X />
                </IconButton>
              </Row>
            );
          })}
        </CardSurface>
      )}
      <ConfirmDialog
        isOpen={confirming !== null}
        onClose={() => setConfirming(null)}
        onConfirm={async () => confirming && (await discard(confirming._id))}
        title="Discard upload"
        action="Discard Upload"
        failure="Failed to discard the upload"
      >
        {`“${confirming?.fileName ?? ''}” is being uploaded elsewhere. The part uploaded so far will be deleted.`}
      </ConfirmDialog>
    </>
  );
}

function useDiscardUnfinished() {
  const refetch = useRefetch();
  return async (uploadId: string) => {
    await call<typeof cancelDocumentUpload>('DELETE /documents/uploads/:id', { params: { id: uploadId } });
    refetch('/documents');
  };
}

type UploadStatus = 'interrupted' | 'elsewhere' | 'version';

function getStatus(upload: UnfinishedUpload, shownAt: string | null): UploadStatus {
  if (!wasStartedInThisBrowser(upload._id) && wasTouchedRecently(upload)) return 'elsewhere';
  return upload.document === shownAt ? 'interrupted' : 'version';
}

const STATUS_TEXTS: Record<UploadStatus, string> = {
  interrupted: 'Not finished. Choose the file again to resume the upload.',
  elsewhere: 'Uploading elsewhere.',
  version: 'An unfinished new version. Resume it under the versions of its document.',
};

/** Compares metadata only. */
const isSameFile = ({ fileName, size, lastModified }: UnfinishedUpload, file: File) =>
  file.name === fileName && file.size === size && (lastModified === undefined || lastModified === file.lastModified);
