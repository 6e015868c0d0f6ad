import type { Document } from '@atrium/proto-events/http/documents';
import { styled } from 'styled-components';
import { Thumbnail } from '#entities/document/thumbnail.tsx';
import { THUMBNAIL_ERRORS } from '#entities/file-viewer/viewed-file.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';
import { theme } from '#ui/theme.ts';

type Props = { document: Document; onPress: () => void };

/** Whether a document has a thumbnail, will have one, or failed to get one. */
export const expectsThumbnail = ({ thumbnail, thumbnailError }: Document): boolean =>
  thumbnail !== undefined || thumbnailError !== undefined;

/** The thumbnail of a card, or a placeholder if other cards of the list have one. */
export function CardBand({ document, onPress }: Props) {
  const refresh = useInvalidate();
  const { thumbnail, thumbnailError } = document;
  return (
    <Band onClick={onPress} aria-hidden="true">
      {thumbnail && <Thumbnail {...thumbnail} onStale={() => refresh('/documents')} />}
      {thumbnailError && <TextColumn>{THUMBNAIL_ERRORS[thumbnailError]}</TextColumn>}
      {!expectsThumbnail(document) && <Kind>{kindOf(document.name)}</Kind>}
    </Band>
  );
}

/** A short file extension in upper case. */
const kindOf = (name: string): string => /[^.]\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? 'FILE';

/* Pointer only: the name below does the same for keyboards and screen readers. */
const Band = styled.div`
  display: grid;
  place-items: center;
  height: 132px;
  margin: calc(-1 * ${theme.space[4]}) calc(-1 * ${theme.space[4]}) 0;
  border-bottom: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg} ${theme.radius.lg} 0 0;
  background: ${theme.color.sunken};
  color: ${theme.color.text3};
  overflow: hidden;
  cursor: pointer;
`;

const Kind = styled.span`
  font: 600 ${theme.text.lg};
  letter-spacing: 0.08em;
`;

const TextColumn = styled.span`
  padding: 0 ${theme.space[4]};
  font: ${theme.text.sm};
`;
