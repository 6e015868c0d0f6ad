import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Notice } from '#ui/notice.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { theme } from '#ui/theme.ts';
import { describeSize } from '../../document/document-labels.ts';
import { useTextPreview } from '../use-text-preview.ts';
import { NO_PREVIEW, type ViewProps } from '../viewed-file.ts';
import { CenteredCanvas, ViewerCanvas } from '../viewer-canvas.ts';
import { ViewerLoading } from '../viewer-loading.tsx';

type Props = ViewProps & {
  /** Maximum number of bytes to read. */
  maxBytes: number;
  children: (text: string) => ReactNode;
};

/** Shows the beginning of a text file and a notice if there is more. */
export function TextPreview({ file, url, renew, maxBytes, children }: Props) {
  const { data: text, error, isCut, isValidating, mutate } = useTextPreview({ file, url }, maxBytes);
  if (text === undefined && error) {
    // The link may have expired.
    const retry = () => void renew().then(() => mutate());
    return (
      <CenteredCanvas>
        <ErrorState title={NO_PREVIEW} detail={error.message} onRetry={retry} isRetrying={isValidating} />
      </CenteredCanvas>
    );
  }
  if (text === undefined) return <ViewerLoading />;
  return (
    <ViewerCanvas tabIndex={0} role="region" aria-label={file.name}>
      {isCut && (
        <Cut>
          <Notice>Showing the first {describeSize(maxBytes)}. Download the file to see the rest.</Notice>
        </Cut>
      )}
      {children(text)}
    </ViewerCanvas>
  );
}

const Cut = styled.div`
  position: sticky;
  inset-inline-start: 0;
  max-width: 960px;
  margin: 0 auto;
  padding: ${theme.space[3]} ${theme.space[4]};
`;
