import { ArrowLeft } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback } from 'react';
import { styled } from 'styled-components';
import { MobileOnly } from '#ui/collapsible.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { keepFocus } from '#ui/keep-focus.ts';
import { inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { Pane } from './log-layout.ts';
import { PaneHeader } from './pane-header.ts';

type Props = {
  title: string;
  actions?: ReactNode;
  /** Receives the element of the list. */
  listRef?: RefObject<HTMLDivElement | null>;
  onBack: () => void;
  children: ReactNode;
};

/** A list that is shown instead of a conversation. */
export function ListView({ title, actions, listRef, onBack, children }: Props) {
  const attach = useCallback(
    (element: HTMLDivElement) => {
      if (listRef) listRef.current = element;
      return keepFocus(element);
    },
    [listRef],
  );
  return (
    <Pane aria-label={title}>
      <Head>
        <MobileOnly>
          <IconButton label="All conversations" onPress={onBack}>
            <ArrowLeft />
          </IconButton>
        </MobileOnly>
        <h2>{title}</h2>
        {actions}
      </Head>
      <Scroll ref={attach} tabIndex={-1}>
        {children}
      </Scroll>
    </Pane>
  );
}

const Head = styled(PaneHeader)`
  ${inlineStyles(3)}
  padding: 0 ${theme.space[6]};
  h2 {
    flex: 1;
  }
  ${theme.media.small} {
    padding: 0 ${theme.space[3]} 0 ${theme.space[2]};
  }
`;

const Scroll = styled.div`
  flex: 1;
  min-height: 0;
  padding: ${theme.space[4]} ${theme.space[6]};
  overflow-y: auto;
  overscroll-behavior: contain;
  outline: none;
  ${theme.media.small} {
    padding: ${theme.space[3]};
  }
`;

export const ListItems = styled.ul`
  display: grid;
  gap: ${theme.space[3]};
  max-width: 780px;
  margin: 0 auto;
`;
