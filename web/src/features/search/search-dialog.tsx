import { Search } from 'lucide-react';
import { useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { styled } from 'styled-components';
import { theme } from '../../ui/theme.ts';
import type { Page } from './results.tsx';
import { SearchResults } from './search-results.tsx';

type Props = { isOpen: boolean; onClose: () => void; onGo: (to: string) => void; pages: readonly Page[] };

/** Finds people, projects, conversations and pages, and goes there; all by keyboard. */
export function SearchDialog({ isOpen, onClose, onGo, pages }: Props) {
  return (
    <Veil isOpen={isOpen} onOpenChange={(open) => open || onClose()} isDismissable>
      <Panel>
        <Frame aria-label="Search">
          <Finder
            pages={pages}
            onGo={(to) => {
              onClose();
              onGo(to);
            }}
          />
        </Frame>
      </Panel>
    </Veil>
  );
}

function Finder({ pages, onGo }: Pick<Props, 'pages' | 'onGo'>) {
  const [words, setWords] = useState('');
  return (
    <Autocomplete inputValue={words} onInputChange={setWords}>
      <Field aria-label="Search people, projects, conversations and pages" autoFocus>
        <Search aria-hidden="true" />
        <Words
          role="combobox"
          aria-expanded="true"
          aria-haspopup="listbox"
          placeholder="Search people, projects, conversations, pages"
        />
      </Field>
      <SearchResults words={words} pages={pages} onGo={onGo} />
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
    </Autocomplete>
  );
}

const Veil = styled(ModalOverlay)`
  position: fixed;
  inset: 0;
  z-index: ${theme.layer.overlay};
  display: flex;
  justify-content: center;
  align-items: flex-start;
  padding: min(14vh, 120px) ${theme.space[4]} ${theme.space[4]};
  background: ${theme.color.veil};
  transition: opacity ${theme.motion.fast};
  &[data-entering],
  &[data-exiting] {
    opacity: 0;
  }
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

const Field = styled(SearchField)`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
  padding: 0 ${theme.space[5]};
  border-bottom: 1px solid ${theme.color.line};
  > svg {
    flex: none;
    width: 18px;
    height: 18px;
    color: ${theme.color.text3};
  }
`;

const Words = styled(Input)`
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
  &::-webkit-search-cancel-button {
    display: none;
  }
`;

const Foot = styled.footer`
  display: flex;
  gap: ${theme.space[5]};
  padding: ${theme.space[2]} ${theme.space[5]};
  border-top: 1px solid ${theme.color.line};
  font: ${theme.text.sm};
  color: ${theme.color.text2};
  ${theme.media.compact} {
    display: none;
  }
`;
