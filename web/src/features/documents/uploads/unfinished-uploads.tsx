import type { UnfinishedUpload } from '@atrium/proto-events/http/document-uploads';
import { FolderInput, X } from 'lucide-react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { describeSize } from '../../../entities/document/document-words.ts';
import { useUnfinishedUploads } from '../../../entities/document/use-documents.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { showError } from '../../../ui/overlays/toast.ts';
import { useAction } from '../../../ui/overlays/use-action.ts';
import { CardSurface } from '../../../ui/pages/card.tsx';
import { useDocumentActions } from '../use-document-actions.ts';
import { useUploadsLeft } from './held-uploads.ts';
import { goOnWith, isSentHere } from './send-document.ts';
import { Row, RowDetail, RowName, RowWords } from './upload-row.tsx';

/** `document`: of which they are to be new versions; null for new documents. */
type Props = { document: string | null; onFile: (file: File) => void };

/** Files that did not arrive whole before their page was left. A browser gives a file only to the page in which it was chosen. */
export function UnfinishedUploads({ document, onFile }: Props) {
  const { data } = useUnfinishedUploads();
  const { discard } = useDocumentActions();
  const { run, underWay } = useAction(discard, 'Failed to discard the upload');
  const unfinished = data?.data.filter((one) => one.document === document && !isSentHere(one._id)) ?? [];
  const notSent = useUploadsLeft(unfinished.map(({ _id }) => _id));
  const left = unfinished.filter(({ _id }) => notSent.includes(_id));
  if (left.length === 0) return null;
  const choose = (upload: UnfinishedUpload, file: File | undefined) => {
    if (!file) return;
    if (!isSame(upload, file)) {
      showError('This is another file', `Choose ${upload.fileName} as it was, of ${describeSize(upload.size)}.`);
      return;
    }
    goOnWith(upload._id, file);
    onFile(file);
  };
  return (
    <CardSurface as="ul" aria-label="Unfinished uploads">
      {left.map((upload) => (
        <Row key={upload._id}>
          <RowWords>
            <RowName title={upload.fileName}>{upload.fileName}</RowName>
            <RowDetail>
              {describeSize(upload.size)} · Not finished. Choose the file again, and only what is missing is sent.
            </RowDetail>
          </RowWords>
          <FileTrigger onSelect={(files) => choose(upload, files?.[0])}>
            <IconButton label={`Choose ${upload.fileName} again`}>
              <FolderInput />
            </IconButton>
          </FileTrigger>
          <IconButton
            label={`Discard ${upload.fileName}`}
            isDisabled={underWay.includes(upload._id)}
            onPress={() => void run(upload._id)}
          >
            <X />
          </IconButton>
        </Row>
      ))}
    </CardSurface>
  );
}

/** As far as can be told without reading it. */
const isSame = ({ fileName, size, lastModified }: UnfinishedUpload, file: File) =>
  file.name === fileName && file.size === size && (lastModified === undefined || lastModified === file.lastModified);
