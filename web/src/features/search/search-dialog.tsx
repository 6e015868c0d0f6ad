import type { SearchType } from '@atrium/proto-events/http/search/everything';
import { isolate } from '@atrium/proto-events/text/isolate';
import { Search } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal } from 'react-aria-components/Modal';
import { styled } from 'styled-components';
import { useCurrentUser } from '#lib/session/session.ts';
import { formatList } from '#lib/time/formats.ts';
import { captionStyles, inlineStyles } from '#ui/mixins.ts';
import { Backdrop } from '#ui/overlays/modal-frame.tsx';
import { theme } from '#ui/theme.ts';
import type { Page } from './commands.tsx';
import { missingText, type Result, TYPE_LABELS } from './result.ts';
import { parseSearchQuery } from './search-query.ts';
import { SearchResults } from './search-results.tsx';
import { TypeFilter } from './type-filter.tsx';
import { useActiveRow } from './use-active-row.ts';
import { useSearch } from './use-search.tsx';
import { recordVisit } from './visited-results.ts';

type Props = {
  isOpen: boolean;
  typed: () => string;
  onClose: () => void;
  onGo: (to: string) => void;
  pages: readonly Page[];
};

const LABEL = 'Search everything';

export function SearchDialog({ isOpen, typed, onClose, onGo, pages }: Props) {
  const { _id: userId } = useCurrentUser();
  const choose = (result: Result) => {
    onClose();
    if ('run' in result) return result.run();
    if (!result.to.startsWith('/search')) recordVisit(userId, result);
    onGo(result.to);
  };
  return (
    <Veil isOpen={isOpen} onOpenChange={(open) => open || onClose()} isDismissable>
      <Panel>
        <Frame aria-label="Search">
          <Finder typed={typed} pages={pages} onChoose={choose} />
        </Frame>
      </Panel>
    </Veil>
  );
}

type FinderProps = Pick<Props, 'typed' | 'pages'> & { onChoose: (result: Result) => void };

function Finder({ typed, pages, onChoose }: FinderProps) {
  const [listId, operatorsId] = [useId(), useId()];
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState(typed);
  const [chosenType, setChosenType] = useState<SearchType>();
  const parsed = parseSearchQuery(query);
  const type = chosenType ?? parsed.type;
  const { groups, isLoading, hasFailed, missing } = useSearch(query, { pages, type: chosenType });
  const results = groups.flatMap((group) => group.results);
  const chooseId = (id: string) => {
    const target = results.find((result) => result.id === id);
    if (target) onChoose(target);
  };
  const { active, onKeyDown, reset, point } = useActiveRow(
    results.map(({ id }) => id),
    chooseId,
  );
  const isEmpty = results.length === 0;
  return (
    <>
      <Field>
        <Search aria-hidden="true" />
        <SearchInput
          ref={field}
          type="text"
          role="combobox"
          dir="auto"
          aria-label={LABEL}
          aria-describedby={operatorsId}
          aria-expanded={!isEmpty}
          aria-autocomplete="list"
          {...(!isEmpty && { 'aria-controls': listId })}
          {...(active !== undefined && { 'aria-activedescendant': active })}
          placeholder="Search people, tasks, documents, messages"
          autoComplete="off"
          autoFocus
          value={query}
          onChange={(event) => {
            reset();
            setQuery(event.target.value);
          }}
          onKeyDown={onKeyDown}
        />
      </Field>
      <TypeFilter
        type={type}
        onChange={(next) => {
          reset();
          setChosenType(next);
          // The choice replaces `type:` in the query.
          if (parsed.type) setQuery(parsed.text);
          field.current?.focus();
        }}
      />
      {hasFailed && <Failure role="alert">The search is not available right now.</Failure>}
      {missing.length > 0 && <Missing role="status">{missingText(missing, formatList)}</Missing>}
      <SearchResults
        id={listId}
        groups={groups}
        active={active}
        onPoint={point}
        onGo={onChoose}
        emptyText={hasFailed ? '' : getEmptyText({ query: parsed.text, isLoading, type })}
      />
      <Foot>
        <Keys />
        <Operators id={operatorsId}>
          Narrow with <code>type:</code> <code>from:</code> <code>in:</code> <code>before:</code> <code>“phrase”</code>{' '}
          <code>-word</code>
        </Operators>
      </Foot>
    </>
  );
}

type EmptyTextParams = { query: string; isLoading: boolean; type: SearchType | undefined };

function getEmptyText({ query, isLoading, type }: EmptyTextParams): string {
  if (query === '') return type ? `Type to search ${TYPE_LABELS[type].toLowerCase()}` : 'Type to search';
  return isLoading ? 'Searching...' : `Nothing found for “${isolate(query)}”`;
}

function Keys() {
  return (
    <KeyList aria-hidden="true">
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> to move
      </span>
      <span>
        <kbd>Enter</kbd> to open
      </span>
      <span>
        <kbd>Esc</kbd> to close
      </span>
    </KeyList>
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

const Missing = styled(Failure)`
  ${captionStyles}
`;

const Foot = styled.footer`
  flex: none;
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  gap: ${theme.space[1]} ${theme.space[5]};
  padding: ${theme.space[2]} ${theme.space[5]};
  border-top: 1px solid ${theme.color.line};
  ${captionStyles}
`;

const KeyList = styled.div`
  display: flex;
  gap: ${theme.space[4]};
  ${theme.media.compact} {
    display: none;
  }
`;

const Operators = styled.p`
  code {
    margin-inline-start: ${theme.space[1]};
    font-size: 12px;
    white-space: nowrap;
  }
`;
