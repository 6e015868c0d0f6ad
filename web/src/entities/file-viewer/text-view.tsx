import { getCharset } from '@atrium/proto-events/preview-kind';
import { createDecoder } from '@atrium/proto-events/text/decoder';
import { type ReactNode, useId } from 'react';
import { styled } from 'styled-components';
import useSWR from 'swr';
import { Notice } from '#ui/notice.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { theme } from '#ui/theme.ts';
import { describeSize } from '../document/document-labels.ts';
import { NO_PREVIEW, ONCE, type ViewProps } from './viewed-file.ts';
import { CenteredCanvas, Paper, ViewerCanvas, ViewerLoading } from './viewer-canvas.tsx';

const MAX_BYTES = 512 * 1024;

export function TextView(props: ViewProps) {
  return (
    <TextPreview {...props} maxBytes={MAX_BYTES}>
      {(text) => <PlainText dir="auto">{text}</PlainText>}
    </TextPreview>
  );
}

export const PlainText = styled(Paper).attrs({ as: 'pre' })`
  font: ${theme.text.mono};
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  tab-size: 4;
`;

/** Decodes at most `maxBytes` bytes with the encoding that the response names. Drops a character cut off at the end. */
export async function readFirstBytes(url: string, maxBytes: number): Promise<string> {
  const response = await fetch(url, { headers: { range: `bytes=0-${maxBytes - 1}` } });
  if (!response.ok || !response.body) throw new Error(NO_PREVIEW);
  const decoder = createDecoder(getCharset(response.headers.get('content-type') ?? ''));
  const reader = response.body.getReader();
  let text = '';
  let remainingBytes = maxBytes;
  // Servers without range support send the whole file.
  while (remainingBytes > 0) {
    const { value } = await reader.read();
    if (!value) break;
    text += decoder.decode(value.subarray(0, remainingBytes), { stream: true });
    remainingBytes -= value.length;
  }
  await reader.cancel();
  return text;
}

/** Returns the beginning of a file as text, and whether it is truncated. */
function useTextPreview({ file, url }: Pick<ViewProps, 'file' | 'url'>, maxBytes: number) {
  const viewId = useId();
  const query = useSWR<string, Error>(`file-text ${viewId} ${file.key}`, () => readFirstBytes(url, maxBytes), ONCE);
  return { ...query, isTruncated: file.size > maxBytes };
}

type Props = ViewProps & {
  /** Maximum number of bytes to read. */
  maxBytes: number;
  children: (text: string) => ReactNode;
};

/** Shows the beginning of a text file and a notice if there is more. */
export function TextPreview({ file, url, renew, maxBytes, children }: Props) {
  const { data: text, error, isTruncated, isValidating, mutate } = useTextPreview({ file, url }, maxBytes);
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
      {isTruncated && (
        <TruncationNotice>
          <Notice>Showing the first {describeSize(maxBytes)}. Download the file to see the rest.</Notice>
        </TruncationNotice>
      )}
      {children(text)}
    </ViewerCanvas>
  );
}

const TruncationNotice = styled.div`
  position: sticky;
  inset-inline-start: 0;
  max-width: 960px;
  margin: 0 auto;
  padding: ${theme.space[3]} ${theme.space[4]};
`;
