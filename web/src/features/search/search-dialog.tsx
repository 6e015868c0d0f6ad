import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal } from 'react-aria-components/Modal';
import { styled } from 'styled-components';
import { isComposing } from '#lib/forms/is-composing.ts';
import { captionStyles, inlineStyles } from '#ui/mixins.ts';
import { Backdrop } from '#ui/overlays/modal-frame.tsx';
import { theme } from '#ui/theme.ts';
import { SearchResults } from './search-results.tsx';
import { type Page, useSearch } from './use-search.tsx';

type Props = {
  isOpen: boolean;
  typed: () => string;
  onClose: () => void;
  onGo: (to: string) => void;
  pages: readonly Page[];
};

const LABEL = 'Search people, projects, conversations, and pages';

export function SearchDialog({ isOpen, typed, onClose, onGo, pages }: Props) {
  const go = (to: string) => {
    onClose();
    onGo(to);
  };
  return (
    <Veil isOpen={isOpen} onOpenChange={(open) => open || onClose()} isDismissable>
      <Panel>
        <Frame aria-label="Search">
          <Finder typed={typed} pages={pages} onGo={go} />
        </Frame>
      </Panel>
    </Veil>
  );
}

function Finder({ typed, pages, onGo }: Pick<Props, 'typed' | 'pages' | 'onGo'>) {
  const listId = useId();
  const [query, setQuery] = useState(typed);
  const { groups, isLoading, hasFailed } = useSearch(query, pages);
  const results = groups.flatMap((group) => group.results);
  const goTo = (id: string) => {
    const target = results.find((result) => result.id === id);
    if (target) onGo(target.to);
  };
  const { active, onKeyDown, resetActive, point } = useActiveRow(
    results.map(({ id }) => id),
    goTo,
  );
  const isEmpty = results.length === 0;
  return (
    <>
      <Field>
        <Search aria-hidden="true" />
        <SearchInput
          type="text"
          role="combobox"
          aria-label={LABEL}
          aria-expanded={!isEmpty}
          aria-autocomplete="list"
          {...(!isEmpty && { 'aria-controls': listId })}
          {...(active !== undefined && { 'aria-activedescendant': active })}
          placeholder="Search people, projects, conversations, pages"
          autoComplete="off"
          autoFocus
          value={query}
          onChange={(event) => {
            resetActive();
            setQuery(event.target.value);
          }}
          onKeyDown={onKeyDown}
        />
      </Field>
      {hasFailed && <Failure role="alert">People and projects cannot be searched right now.</Failure>}
      <SearchResults
        id={listId}
        groups={groups}
        active={active}
        onPoint={point}
        onGo={({ to }) => onGo(to)}
        emptyText={isLoading ? 'Searching...' : `Nothing found for “${query.trim()}”`}
      />
      <Keys />
    </>
  );
}

function Keys() {
  return (
    <Foot aria-hidden="true">
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> to move
      </span>
      <span>
        <kbd>Enter</kbd> to open
      </span>
      <span>
        <kbd>Esc</kbd> to close
      </span>
    </Foot>
  );
}

const Veil = styled(Backdrop)`
  display: flex;
  justify-content: center;
  align-items: flex-start;
  padding: min(14vh, 120px) ${theme.space[4]} ${theme.space[4]};
  transition-duration: ${theme.motion.fast};
  ${theme.media.small} {
    padding: ${theme.space[2]};
  }
`;

const Panel = styled(Modal)`
  width: 100%;
  max-width: 620px;
  border: 1px solid ${theme.color.line};
  border-radius: 16px;
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.modal};
  overflow: hidden;
`;

const Frame = styled(Dialog)`
  display: flex;
  flex-direction: column;
  max-height: min(560px, calc(var(--visual-viewport-height, 100dvh) - 96px));
  outline: none;
`;

const Field = styled.div`
  ${inlineStyles(3)}
  padding: 0 ${theme.space[5]};
  border-bottom: 1px solid ${theme.color.line};
  > svg {
    flex: none;
    width: 18px;
    height: 18px;
    color: ${theme.color.text3};
  }
`;

const SearchInput = styled.input`
  flex: 1;
  min-width: 0;
  height: 56px;
  border: 0;
  background: transparent;
  color: ${theme.color.text};
  font: ${theme.text.lg};
  outline: none;
  &:focus-visible {
    box-shadow: none;
  }
`;

const Failure = styled.p`
  padding: ${theme.space[3]} ${theme.space[5]} 0;
  color: ${theme.color.danger};
`;

const Foot = styled.footer`
  display: flex;
  gap: ${theme.space[5]};
  padding: ${theme.space[2]} ${theme.space[5]};
  border-top: 1px solid ${theme.color.line};
  ${captionStyles}
  ${theme.media.compact} {
    display: none;
  }
`;

function useActiveRow(ids: readonly string[], onChoose: (id: string) => void) {
  const [chosen, setChosen] = useState<string | null>(null);
  const active = chosen !== null && ids.includes(chosen) ? chosen : ids[0];
  const move = (steps: number) => {
    const index = active === undefined ? 0 : ids.indexOf(active);
    setChosen(ids[(index + steps + ids.length) % ids.length] ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (steps === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (steps !== undefined) move(steps);
    else if (active !== undefined) onChoose(active);
  };
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return { active, onKeyDown, resetActive: () => setChosen(null), point: setChosen };
}
