import type { Document } from '@atrium/proto-events/http/documents';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { pictureFailure } from '#lib/picture-failure.ts';
import { theme } from '#ui/theme.ts';

type Props = NonNullable<Document['thumbnail']> & {
  /** The link has expired and there is no newer one. */
  onStale: () => void;
};

/** Identifies the image, whatever the signature of its link. */
const imageKey = (url: string) => url.split('?', 1)[0];

/** A refetched list has new links to the same images; those are not reloaded. */
export function Thumbnail({ url, width, height, onStale }: Props) {
  const [link, setLink] = useState(url);
  const [failed, setFailed] = useState<string>();
  const renewed = useRef<string>(undefined);
  const [renewing, setRenewing] = useState<string>();
  if (link !== url && (failed === link || imageKey(link) !== imageKey(url))) setLink(url);
  // The link may have expired before the image became visible.
  const onError = () => {
    setFailed(link);
    // One new link per image: a second failure is not caused by expiry.
    if (link !== url || renewed.current === imageKey(url)) return;
    renewed.current = imageKey(url);
    setRenewing(link);
    onStale();
  };
  // The next link may work; an error message would only flash.
  if (failed === link && renewing === link) return null;
  if (failed === link) return <Failure>{pictureFailure(link)}</Failure>;
  return <Image src={link} width={width} height={height} alt="" loading="lazy" decoding="async" onError={onError} />;
}

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
