import { defaultEmojiDataResolver, EmojiPicker as Picker } from 'frimousse';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { styled } from 'styled-components';
import { readSkinTone, saveSkinTone } from '#entities/emoji/skin-tone.ts';
import { isComposing } from '#lib/forms/is-composing.ts';
import { useMedia } from '#lib/hooks/use-media.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { CloseOnBack, FloatingSurface } from '#ui/floating-surface.tsx';
import { inlineStyles } from '#ui/mixins.ts';
import { ModalFrame } from '#ui/overlays/modal-frame.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { theme } from '#ui/theme.ts';
import { EmojiList } from './emoji-list.tsx';
import { EmojiSection } from './emoji-section.tsx';
import { frequentEmoji, useWorkspaceEmoji } from './listed-emoji.tsx';
import { SkinTones } from './skin-tones.tsx';

/** Written by `build/emoji-data.ts`. */
const EMOJI_URL = '/emoji';
type Props = { label?: string; anchor: HTMLElement; onPick: (emoji: string) => void; onClose: () => void };

export function EmojiPicker({ label = 'Add reaction', anchor, onPick, onClose }: Props) {
  const isSmall = useMedia(theme.media.small);
  const pick = (emoji: string) => {
    onClose();
    onPick(emoji);
  };
  if (isSmall)
    return (
      <ModalFrame title={label} onClose={onClose} isDismissable>
        <CloseOnBack onClose={onClose} />
        <PickerContent columns={7} onPick={pick} />
      </ModalFrame>
    );
  return (
    <Surface
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      triggerRef={{ current: anchor }}
      placement={isInFirstHalf(anchor) ? 'top start' : 'top end'}
    >
      <Frame aria-label={label}>
        <PickerContent columns={9} onPick={pick} isSearchFocused />
      </Frame>
    </Surface>
  );
}

function isInFirstHalf(element: HTMLElement): boolean {
  const { left, right } = element.getBoundingClientRect();
  return left + right < window.innerWidth;
}

type ContentProps = { columns: number; onPick: (emoji: string) => void; isSearchFocused?: boolean };

function PickerContent({ columns, onPick, isSearchFocused = false }: ContentProps) {
  const { _id } = useCurrentUser();
  const [failure, setFailure] = useState<{ attempt: number } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [search, setSearch] = useState('');
  const workspaceEmoji = useWorkspaceEmoji(search);
  const hasMoved = useRef(false);
  // The list picks the first of its own emoji, or the one that the arrow keys have moved to.
  const onSearchKey = (event: KeyboardEvent) => {
    const [first] = workspaceEmoji;
    if (event.key.startsWith('Arrow')) hasMoved.current = true;
    if (event.key !== 'Enter' || hasMoved.current || search.trim() === '' || !first || isComposing(event)) return;
    event.preventDefault();
    onPick(first.value);
  };
  const load: typeof defaultEmojiDataResolver = async (...args) => {
    try {
      return await defaultEmojiDataResolver(...args);
    } catch (error) {
      if (!args[1]?.signal?.aborted) setFailure({ attempt });
      throw error;
    }
  };
  if (failure?.attempt === attempt)
    return (
      <Failure>
        <ErrorState title="Failed to load emoji" onRetry={() => setAttempt(attempt + 1)} />
      </Failure>
    );
  return (
    <Root
      key={attempt}
      columns={columns}
      emojibaseUrl={EMOJI_URL}
      resolveEmojiData={load}
      skinTone={readSkinTone(_id)}
      onEmojiSelect={({ emoji }) => onPick(emoji)}
    >
      <Search
        autoFocus={isSearchFocused}
        placeholder="Search emoji"
        aria-label="Search emoji"
        onKeyDownCapture={onSearchKey}
        onChange={({ currentTarget }) => {
          hasMoved.current = false;
          setSearch(currentTarget.value);
        }}
      />
      {search.trim() === '' && (
        <EmojiSection title="Frequently used" choices={frequentEmoji(_id, columns)} onPick={onPick} />
      )}
      <EmojiSection title="Workspace" choices={workspaceEmoji} onPick={onPick} />
      <Viewport>
        <Picker.Loading>
          <Spinner label="Loading emoji" />
        </Picker.Loading>
        <Picker.Empty role="status">No emoji found</Picker.Empty>
        <EmojiList />
      </Viewport>
      <Foot>
        <Picker.ActiveEmoji>{({ emoji }) => <Preview>{emoji?.label}</Preview>}</Picker.ActiveEmoji>
        <SkinTones onChange={(skinTone) => saveSkinTone(_id, skinTone)} />
      </Foot>
    </Root>
  );
}

/** The trigger may be a whole message, which is wider than the picker. */
const Surface = styled(FloatingSurface)`
  && {
    min-width: 0;
  }
`;

const Frame = styled(Dialog)`
  width: 348px;
  outline: none;
`;

const Root = styled(Picker.Root)`
  display: flex;
  flex-direction: column;
  height: min(380px, 44dvh);
  min-height: 0;
  ${theme.media.small} {
    height: 56dvh;
    padding: 0 ${theme.space[3]} ${theme.space[2]};
  }
`;

const Search = styled(Picker.Search)`
  flex: none;
  height: ${theme.control};
  margin: ${theme.space[1]};
  padding: 0 ${theme.space[3]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  background: ${theme.color.ground};
  font: ${theme.text.md};
  color: ${theme.color.text};
  &::placeholder {
    color: ${theme.color.text3};
  }
  &:focus {
    outline: none;
    border-color: ${theme.color.accent};
  }
  ${theme.media.small} {
    margin: ${theme.space[1]} 0;
    /* Safari zooms into smaller text. */
    font-size: 16px;
  }
`;

const Viewport = styled(Picker.Viewport)`
  flex: 1;
  min-height: 0;
  margin-inline-start: ${theme.space[1]};
  outline: none;
  ${theme.media.small} {
    margin: 0;
  }
  [frimousse-loading],
  [frimousse-empty] {
    position: absolute;
    inset: 0;
    display: grid;
    place-items: center;
    color: ${theme.color.text3};
  }
`;

const Foot = styled.div`
  ${inlineStyles(2)}
  justify-content: space-between;
  min-height: 40px;
  margin: 0 ${theme.space[1]};
  border-top: 1px solid ${theme.color.line};
`;

const Preview = styled.span`
  min-width: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  font: ${theme.text.sm};
  color: ${theme.color.text2};
  /* There is no pointer or keyboard to move over emoji, and no space. */
  ${theme.media.small} {
    visibility: hidden;
  }
`;

const Failure = styled.div`
  display: grid;
  place-content: center;
  height: min(380px, 44dvh);
`;
