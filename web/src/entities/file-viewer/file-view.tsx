import { Download } from 'lucide-react';
import { type ComponentType, Suspense, useState } from 'react';
import { styled } from 'styled-components';
import { lazyNamed } from '#lib/lazy.ts';
import { pictureFailure } from '#lib/picture-failure.ts';
import { Button } from '#ui/button.tsx';
import { Text } from '#ui/layout/primitives.ts';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { theme } from '#ui/theme.ts';
import { describeSize } from '../document/document-labels.ts';
import { FileIcon } from '../document/file-icon.tsx';
import { MediaView } from './media-view.tsx';
import { NO_PREVIEW, THUMBNAIL_ERRORS, useFileLink, type ViewedFile, type ViewProps } from './viewed-file.ts';
import { CenteredCanvas, ViewerCanvas, ViewerLoading } from './viewer-canvas.tsx';
import { type ViewerKind, viewerKind } from './viewer-kind.ts';

type Props = {
  file: ViewedFile;
  /** The reason there is no preview, if it is not the file type. */
  text?: string | undefined;
};

function NoPreview({ file, text = 'No preview is available for this file' }: Props) {
  const { onDownload } = file;
  return (
    <CenteredCanvas>
      <Box>
        <FileIcon mimetype={file.mimetype} />
        <Text as="h3" $tone="text" $breaks dir="auto">
          {file.name}
        </Text>
        <p>{describeSize(file.size)}</p>
        <p>{onDownload ? text : 'The file is no longer in storage'}</p>
        {onDownload && (
          <Button variant="primary" icon={<Download />} onPress={onDownload}>
            Download
          </Button>
        )}
      </Box>
    </CenteredCanvas>
  );
}

const Box = styled.div`
  display: flex;
  flex-direction: column;
  align-items: center;
  gap: ${theme.space[2]};
  max-width: 100%;
  padding: ${theme.space[8]} ${theme.space[4]};
  text-align: center;
  color: ${theme.color.text2};
  > span:first-child {
    background: ${theme.color.surface};
  }
  button {
    margin-top: ${theme.space[3]};
  }
`;

const VIEWS: Record<Exclude<ViewerKind, 'none'>, ComponentType<ViewProps>> = {
  image: ImageView,
  audio: MediaView,
  video: MediaView,
  text: lazyNamed(() => import('./text-view.tsx'), 'TextView'),
  markdown: lazyNamed(() => import('./markdown-view.tsx'), 'MarkdownView'),
  table: lazyNamed(() => import('./table-view.tsx'), 'TableView'),
  pdf: lazyNamed(() => import('./pdf-view.tsx'), 'PdfView'),
};

/** Previews a file, or shows its icon, name, and size with a download button. */
export function FileView({ file }: { file: ViewedFile }) {
  const kind = viewerKind(file);
  if (kind === 'none') return <NoPreview file={file} />;
  return <LinkedView key={file.key} kind={kind} file={file} />;
}

function LinkedView({ kind, file }: { kind: Exclude<ViewerKind, 'none'>; file: ViewedFile }) {
  const { data: link, error, isValidating, mutate, renew } = useFileLink(file);
  const [failure, setFailure] = useState<string>();
  if (link?.state === 'none' || failure !== undefined) {
    return <NoPreview file={file} text={failure ?? (link?.reason && THUMBNAIL_ERRORS[link.reason])} />;
  }
  if (error && !link) {
    return (
      <CenteredCanvas>
        <ErrorState title={NO_PREVIEW} detail={error.message} onRetry={() => void mutate()} isRetrying={isValidating} />
      </CenteredCanvas>
    );
  }
  if (link?.url === undefined) return <ViewerLoading />;
  const View = VIEWS[kind];
  return (
    <Suspense fallback={<ViewerLoading />}>
      <View file={file} url={link.url} renew={renew} onFailure={setFailure} />
    </Suspense>
  );
}

/** Fits the image into the viewer without enlarging it. */
function ImageView({ file, url, onFailure }: ViewProps) {
  return (
    <Frame>
      <img src={url} alt={file.name} onError={() => onFailure(pictureFailure(url))} />
    </Frame>
  );
}

const Frame = styled(ViewerCanvas)`
  overflow: hidden;
  img {
    position: absolute;
    inset: ${theme.space[4]};
    width: calc(100% - 2 * ${theme.space[4]});
    height: calc(100% - 2 * ${theme.space[4]});
    object-fit: scale-down;
  }
  ${theme.media.small} {
    img {
      inset: 0;
      width: 100%;
      height: 100%;
    }
  }
`;
