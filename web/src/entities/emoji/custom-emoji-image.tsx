import type { CustomEmoji } from '@atrium/proto-events/http/chat/emoji';
import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { fetchEmojiLink, knownLink } from './use-custom-emoji.ts';

type Props = { emoji: CustomEmoji; size?: number };

/** Shows the name until the image has loaded, and if it cannot be loaded. */
export function CustomEmojiImage({ emoji, size }: Props) {
  const text = `:${emoji.name}:`;
  const [url, setUrl] = useState(() => knownLink(emoji));
  /** A new link is requested once: an image that it does not show cannot be loaded. */
  const [isRequested, setRequested] = useState(false);
  const isNeeded = url === undefined && !isRequested;
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isCurrent = true;
    const update = (next: string | undefined) => {
      if (!isCurrent) return;
      setUrl(next);
      setRequested(true);
    };
    fetchEmojiLink(emoji).then(update, () => update(undefined));
    return () => {
      isCurrent = false;
    };
  }, [isNeeded, emoji]);
  if (url === undefined) return text;
  return (
    <Image
      src={url}
      alt={text}
      title={text}
      style={size ? { height: size } : undefined}
      onError={() => setUrl(undefined)}
    />
  );
}

/** As high as a line of text; wide images keep their proportions. */
const Image = styled.img`
  display: inline-block;
  height: 1.375em;
  max-width: 4em;
  object-fit: contain;
  vertical-align: -0.3em;
`;
