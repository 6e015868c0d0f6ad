import type { Message } from '@atrium/proto-events/http/chat/messages';
import { EyeOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { isFinal } from '#lib/api/api-error.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { hiddenInPrint } from '#ui/mixins.ts';
import { TextButton } from '#ui/text-button.tsx';
import { theme } from '#ui/theme.ts';
import { CardContent } from './card-content.tsx';
import { toggleCards, useAreCardsCollapsed } from './collapsed-cards.ts';
import { CardPlaceholder } from './link-card.tsx';
import { findOwnLinks, type OwnLink } from './own-links.ts';
import { isUnavailable, recordUnavailable } from './unavailable-links.ts';

/** Cards of what a message links to, as far as the user can see it. Other links leave no trace. */
export function MessageCards({ message: { _id, content } }: { message: Pick<Message, '_id' | 'content'> }) {
  const isCollapsed = useAreCardsCollapsed(_id);
  /** The button that is pressed is removed, so focus moves to what replaces it. */
  const [isToggled, setToggled] = useState(false);
  const links = findOwnLinks(content);
  const toggle = () => {
    toggleCards(_id);
    setToggled(true);
  };
  if (links.length === 0) return null;
  if (isCollapsed)
    return (
      <TextButton autoFocus={isToggled} onPress={toggle}>
        Show previews
      </TextButton>
    );
  return (
    <Cards {...(isToggled && { ref: focusElement, tabIndex: -1, role: 'group', 'aria-label': 'Previews' })}>
      {links.map((link) => (
        <LinkedCard key={link.path} link={link} onHide={toggle} />
      ))}
    </Cards>
  );
}

const focusElement = (element: HTMLElement | null) => element?.focus({ preventScroll: true });

function LinkedCard({ link, onHide }: { link: OwnLink; onHide: () => void }) {
  if (isUnavailable(link.path)) return null;
  return (
    <CardContent
      link={link}
      render={({ data, error, isLoading }, toCard): ReactNode => {
        if (isLoading) return <CardPlaceholder aria-hidden="true" />;
        // Without a connection, it is requested again.
        if (data === undefined) return isFinal(error) ? <Unavailable path={link.path} /> : null;
        return (
          <Frame>
            {toCard(data)}
            <IconButton label="Hide previews" onPress={onHide}>
              <EyeOff />
            </IconButton>
          </Frame>
        );
      }}
    />
  );
}

function Unavailable({ path }: { path: string }) {
  useEffect(() => {
    recordUnavailable(path);
  }, [path]);
  return null;
}

const Cards = styled.div`
  display: grid;
  gap: ${theme.space[1]};
  max-width: 480px;
  padding: ${theme.space[1]} 0;
  outline: none;
`;

const Frame = styled.div`
  position: relative;
  > a {
    padding-inline-end: ${theme.space[10]};
  }
  > button {
    position: absolute;
    inset-block-start: ${theme.space[3]};
    inset-inline-end: ${theme.space[2]};
    ${hiddenInPrint}
  }
  @media (hover: hover) {
    > button:not(:focus-visible) {
      opacity: 0;
    }
    &:hover > button {
      opacity: 1;
    }
  }
`;
