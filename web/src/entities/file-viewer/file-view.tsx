import { type ComponentType, Suspense, useState } from 'react';
import { lazyNamed } from '../../lib/lazy.ts';
import { ErrorState } from '../../ui/pages/error-state.tsx';
import { NoView } from './no-preview.tsx';
import { useFileLink } from './use-file-link.ts';
import { NO_PICTURE, NO_PREVIEW, type ViewedFile, type ViewProps } from './viewed-file.ts';
import { Middle } from './viewer-canvas.ts';
import { type ViewerKind, viewerKind } from './viewer-kind.ts';
import { Waiting } from './viewer-loading.tsx';
import { MediaView } from './views/media-view.tsx';
import { PictureView } from './views/picture-view.tsx';

const VIEWS: Record<Exclude<ViewerKind, 'none'>, ComponentType<ViewProps>> = {
  image: PictureView,
  audio: MediaView,
  video: MediaView,
  text: lazyNamed(() => import('./views/text-view.tsx'), 'TextView'),
  markdown: lazyNamed(() => import('./views/markdown/markdown-view.tsx'), 'MarkdownView'),
  table: lazyNamed(() => import('./views/table-view.tsx'), 'TableView'),
  pdf: lazyNamed(() => import('./pdf/pdf-view.tsx'), 'PdfView'),
};

/** Previews a file, or shows its icon, name, and size with a download button. */
export function FileView({ file }: { file: ViewedFile }) {
  const kind = viewerKind(file);
  if (kind === 'none') return <NoView file={file} />;
  return <LinkedView key={file.key} kind={kind} file={file} />;
}

function LinkedView({ kind, file }: { kind: Exclude<ViewerKind, 'none'>; file: ViewedFile }) {
  const { data: link, error, isValidating, mutate, renew } = useFileLink(file);
  const [failure, setFailure] = useState<string>();
  if (link?.state === 'none' || failure !== undefined) {
    return <NoView file={file} words={failure ?? (link?.reason && NO_PICTURE[link.reason])} />;
  }
  if (error && !link) {
    return (
      <Middle>
        <ErrorState title={NO_PREVIEW} detail={error.message} onRetry={() => void mutate()} isRetrying={isValidating} />
      </Middle>
    );
  }
  if (link?.url === undefined) return <Waiting />;
  const View = VIEWS[kind];
  return (
    <Suspense fallback={<Waiting />}>
      <View file={file} url={link.url} renew={renew} onFailure={setFailure} />
    </Suspense>
  );
}
