import { Hash, Users } from 'lucide-react';
import { type Ref, type RefObject, useEffect, useImperativeHandle, useState } from 'react';
import { styled } from 'styled-components';
import { EmojiGlyph } from '#entities/emoji/emoji-glyph.tsx';
import { Avatar } from '#entities/user/avatar.tsx';
import { OptionText } from '#ui/fields/option.tsx';
import { SuggestionList } from '#ui/fields/suggestion-list.tsx';
import type { Trigger } from './find-trigger.ts';
import type { MentionOption } from './mention-option.ts';
import { useMentionOptions } from './use-mention-options.ts';

/** Returns whether the list has handled the key. */
export type KeyHandler = (key: string) => boolean;

type Props = {
  id: string;
  trigger: Trigger;
  conversationId: string;
  field: RefObject<HTMLTextAreaElement | null>;
  keys: Ref<KeyHandler>;
  onActive: (optionId: string | null) => void;
  onChoose: (option: MentionOption) => void;
  onClose: () => void;
};

const LABELS = { '@': 'People', '#': 'Channels', ':': 'Emoji' };

export function CompletionList({ id, trigger, conversationId, field, keys, onActive, onChoose, onClose }: Props) {
  const options = useMentionOptions(trigger, conversationId);
  const [choice, setChoice] = useState({ query: trigger.query, token: '' });
  const chosenIndex = options.findIndex(({ token }) => choice.query === trigger.query && token === choice.token);
  const index = Math.max(0, chosenIndex);
  const active = options[index];
  const optionId = ({ token }: MentionOption) => `${id}-${token}`;
  const activeId = active ? optionId(active) : null;
  useEffect(() => {
    onActive(activeId);
    return () => onActive(null);
  }, [activeId, onActive]);
  const activate = (option: MentionOption | undefined) => {
    if (option) setChoice({ query: trigger.query, token: option.token });
  };
  useImperativeHandle(keys, () => (key) => {
    if (!active) return false;
    if (key === 'ArrowDown') activate(options[(index + 1) % options.length]);
    else if (key === 'ArrowUp') activate(options.at(index - 1));
    else if (key === 'Enter' || key === 'Tab') onChoose(active);
    else if (key === 'Escape') onClose();
    else return false;
    return true;
  });
  if (!active) return null;
  return (
    <SuggestionList
      id={id}
      label={LABELS[trigger.sign]}
      field={field}
      placement="top start"
      offset={14}
      width={360}
      options={options.map((option) => ({
        id: optionId(option),
        content: <OptionContent option={option} />,
        onChoose: () => onChoose(option),
      }))}
      activeId={optionId(active)}
      onActive={(next) => activate(options[next])}
      onClose={onClose}
    />
  );
}

function OptionContent({ option }: { option: MentionOption }) {
  return (
    <>
      {iconOf(option)}
      <OptionText label={option.user ? option.label.slice(1) : option.label} description={option.detail} />
    </>
  );
}

function iconOf({ user, label, emoji }: MentionOption) {
  if (emoji !== undefined)
    return (
      <Glyph aria-hidden="true">
        <EmojiGlyph emoji={emoji} />
      </Glyph>
    );
  if (user) return <Avatar user={user} size={28} />;
  return label.startsWith('#') ? <Hash aria-hidden="true" /> : <Users aria-hidden="true" />;
}

const Glyph = styled.span`
  width: 24px;
  font-size: 20px;
  line-height: 24px;
  text-align: center;
`;
