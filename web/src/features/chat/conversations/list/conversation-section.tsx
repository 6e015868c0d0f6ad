import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { bareButton, ellipsis, iconSize, insetFocusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { toggleCollapsed, useCollapsedSections } from './collapsed-sections.ts';
import { type ListState, type Section, withoutCollapsed } from './conversation-sections.ts';

type Props = {
  section: Section;
  state: ListState;
  /** A filtered list ignores which sections are collapsed. */
  isFiltered: boolean;
  children: (conversation: Conversation) => ReactNode;
};

export function ConversationSection({ section, state, isFiltered, children }: Props) {
  const listId = useId();
  const isOpen = !useCollapsedSections().includes(section.id) || isFiltered;
  const { conversations } = isOpen ? section : withoutCollapsed(section, state);
  return (
    <section aria-label={section.title}>
      <Heading>
        <Toggle
          aria-expanded={isOpen}
          aria-controls={listId}
          isDisabled={isFiltered}
          onPress={() => toggleCollapsed(section.id)}
        >
          <ChevronRight aria-hidden="true" />
          <span dir="auto">{section.title}</span>
        </Toggle>
      </Heading>
      <List id={listId}>{conversations.map(children)}</List>
    </section>
  );
}

const Heading = styled.h2`
  padding: ${theme.space[1]} ${theme.space[2]} 0;
  font: inherit;
`;

const Toggle = styled(Button)`
  display: flex;
  align-items: center;
  gap: ${theme.space[1]};
  width: 100%;
  min-height: 32px;
  padding: 0 ${theme.space[3]} 0 ${theme.space[2]};
  ${bareButton}
  border-radius: ${theme.radius.md};
  color: ${theme.color.text2};
  font: 500 ${theme.text.sm};
  text-align: start;
  ${insetFocusRing}
  ${iconSize(14)}
  &[data-hovered] {
    color: ${theme.color.text};
  }
  &[data-disabled] {
    cursor: default;
  }
  svg {
    flex: none;
    transition: transform ${theme.motion.fast};
  }
  &[aria-expanded='true'] svg {
    transform: rotate(90deg);
  }
  span {
    ${ellipsis}
  }
  ${theme.media.small} {
    min-height: 44px;
  }
`;

const List = styled.ul`
  display: grid;
  gap: 2px;
  padding: 2px ${theme.space[2]} ${theme.space[2]};
`;
