import type { Document } from '@atrium/proto-events/http/documents';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { THUMBNAIL_ERRORS } from '#entities/file-viewer/viewed-file.ts';
import { pictureFailure } from '#lib/picture-failure.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { theme } from '#ui/theme.ts';

type Props = { document: Document; onPress: () => void };

export const expectsThumbnail = ({ thumbnail, thumbnailError }: Document): boolean =>
  thumbnail !== undefined || thumbnailError !== undefined;

export function CardBand({ document, onPress }: Props) {
  const refetch = useRefetch();
  const { thumbnail, thumbnailError } = document;
  return (
    <Band onClick={onPress} aria-hidden="true">
      {thumbnail && <Thumbnail {...thumbnail} onStale={() => refetch('/documents')} />}
      {thumbnailError && <Failure>{THUMBNAIL_ERRORS[thumbnailError]}</Failure>}
      {!expectsThumbnail(document) && <Kind>{getFileKind(document.name)}</Kind>}
    </Band>
  );
}

type ThumbnailProps = NonNullable<Document['thumbnail']> & {
  /** The link has expired and there is no newer one. */
  onStale: () => void;
};

/** Removes the signature, which differs between links to the same image. */
const imageKey = (url: string) => url.split('?', 1)[0];

/** A refetched list has new links to the same images; those are not reloaded. */
function Thumbnail({ url, width, height, onStale }: ThumbnailProps) {
  const [link, setLink] = useState(url);
  const [failedLink, setFailedLink] = useState<string>();
  const renewedKey = useRef<string>(undefined);
  const [renewingLink, setRenewingLink] = useState<string>();
  if (link !== url && (failedLink === link || imageKey(link) !== imageKey(url))) setLink(url);
  // The link may have expired before the image became visible.
  const onError = () => {
    setFailedLink(link);
    // One new link per image: a second failure is not caused by expiry.
    if (link !== url || renewedKey.current === imageKey(url)) return;
    renewedKey.current = imageKey(url);
    setRenewingLink(link);
    onStale();
  };
  // The next link may work; an error message would only flash.
  if (failedLink === link && renewingLink === link) return null;
  if (failedLink === link) return <Failure>{pictureFailure(link)}</Failure>;
  return <Image src={link} width={width} height={height} alt="" loading="lazy" decoding="async" onError={onError} />;
}

const getFileKind = (name: string): string => /[^.]\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? 'FILE';

/* For pointers only: the document's name does the same for keyboards and screen readers. */
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

const Image = styled.img`
  display: block;
  width: 100%;
  height: 100%;
  object-fit: cover;
`;

const Failure = styled.span`
  padding: 0 ${theme.space[4]};
  font: ${theme.text.sm};
  overflow-wrap: anywhere;
`;
