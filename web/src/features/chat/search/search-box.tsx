import { CalendarDays, Filter, Hash, History, Search, UserRound } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { isComposing } from '#lib/forms/is-composing.ts';
import { NativeSearch, NativeSearchInput } from '#ui/fields/native-search.ts';
import { OptionText } from '#ui/fields/option.tsx';
import { rowStyles } from '#ui/fields/row-styles.ts';
import { isCovered } from '#ui/overlays/is-covered.ts';
import { theme } from '#ui/theme.ts';
import { QueryLabel } from './filter-label.tsx';
import { isSearchShortcut } from './use-search-navigation.ts';
import { type Suggestion, useSuggestions } from './use-suggestions.ts';

type Props = {
  text: string;
  autoFocus: boolean;
  /** Whether suggestions are listed before anything is typed. */
  isInitiallyOpen: boolean;
  onChange: (text: string) => void;
  onSearch: (text: string) => void;
  /** Moves the focus to the results. */
  onDown: () => void;
};

/** A combobox (ARIA): focus stays in the field, which refers to the active suggestion. */
export function SearchBox({ text, autoFocus, isInitiallyOpen, onChange, onSearch, onDown }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  const [active, setActive] = useState(-1);
  const suggestions = useSuggestions(text);
  const isListed = isOpen && suggestions.length > 0;
  const activeId = isListed && suggestions[active] ? `${id}-${active}` : undefined;
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!isSearchShortcut(event) || isCovered()) return;
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const change = (next: string) => {
    setActive(-1);
    setOpen(true);
    onChange(next);
  };
  const search = (next: string) => {
    setActive(-1);
    setOpen(false);
    onSearch(next);
  };
  const choose = (suggestion: Suggestion) =>
    suggestion.isComplete ? search(suggestion.text) : change(suggestion.text);
  const move = (step: 1 | -1) => {
    if (isListed) setActive((active + step + suggestions.length + Number(active < 0 && step < 0)) % suggestions.length);
    else if (step === 1) onDown();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || (event.altKey && event.key !== 'ArrowDown')) return;
    const chosen = isListed ? suggestions[active] : undefined;
    if (event.altKey) setOpen(true);
    else if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') chosen ? choose(chosen) : search(text);
    else if (event.key === 'Tab' && chosen) choose(chosen);
    else if (event.key === 'Escape' && isListed) setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <NativeSearch>
      <Search aria-hidden="true" />
      <NativeSearchInput
        ref={field}
        type="search"
        role="combobox"
        dir="auto"
        aria-label="Search messages"
        placeholder="Search messages"
        autoComplete="off"
        enterKeyHint="search"
        aria-expanded={isListed}
        aria-controls={id}
        aria-activedescendant={activeId}
        value={text}
        onChange={(event) => change(event.target.value)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {isListed && (
        <List role="listbox" id={id} aria-label="Suggestions">
          {suggestions.map((suggestion, index) => (
            <Option
              // biome-ignore lint/suspicious/noArrayIndexKey: the options have no state
              key={index}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              data-focused={index === active || undefined}
              // Focus stays in the field.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => setActive(index)}
              onClick={() => choose(suggestion)}
            >
              <SuggestionContent suggestion={suggestion} />
            </Option>
          ))}
        </List>
      )}
    </NativeSearch>
  );
}

const ICONS: Record<Suggestion['kind'], ReactNode> = {
  recent: <History aria-hidden="true" />,
  operator: <Filter aria-hidden="true" />,
  value: <Filter aria-hidden="true" />,
  date: <CalendarDays aria-hidden="true" />,
  channel: <Hash aria-hidden="true" />,
  user: <UserRound aria-hidden="true" />,
};

function SuggestionContent({ suggestion: { kind, label, detail, user } }: { suggestion: Suggestion }) {
  return (
    <>
      {user ? <Avatar user={user} size={28} /> : ICONS[kind]}
      {kind === 'recent' ? (
        <Recent>
          <QueryLabel query={label} />
        </Recent>
      ) : (
        <OptionText label={label} description={detail} />
      )}
    </>
  );
}

const List = styled.div`
  position: absolute;
  z-index: 2;
  inset: calc(100% + 4px) 0 auto;
  max-height: min(420px, 60dvh);
  padding: ${theme.space[1]};
  overflow: auto;
  overscroll-behavior: contain;
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.float};
`;

const Option = styled.div`
  ${rowStyles}
`;

const Recent = styled.span`
  min-width: 0;
  overflow-wrap: anywhere;
`;
