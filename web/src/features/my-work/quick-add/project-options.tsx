import { FolderKanban } from 'lucide-react';
import type { RefObject } from 'react';
import { styled } from 'styled-components';
import { rowStyles } from '#ui/fields/row-styles.ts';
import { FloatingSurface } from '#ui/floating-surface.tsx';
import { ellipsis } from '#ui/mixins.ts';
import type { ProjectCompletion } from './use-project-completion.ts';

type Props = { completion: ProjectCompletion; field: RefObject<HTMLInputElement | null> };

export function ProjectOptions({ completion, field }: Props) {
  const { listId, optionId, options, active, choose, activate, close } = completion;
  if (!active) return null;
  return (
    <FloatingSurface
      isOpen
      isNonModal
      triggerRef={field}
      placement="bottom start"
      onOpenChange={(isOpen) => isOpen || close()}
    >
      <List role="listbox" id={listId} aria-label="Projects">
        {options.map((option) => (
          <Option
            key={option._id}
            id={optionId(option)}
            role="option"
            aria-selected={option === active}
            data-focused={option === active || undefined}
            onMouseDown={(event) => {
              // Focus stays in the field.
              event.preventDefault();
              if (event.button === 0) choose(option);
            }}
            onMouseMove={() => activate(option)}
            // Of assistive technology, which does not press.
            onClick={() => choose(option)}
          >
            <FolderKanban aria-hidden="true" />
            <Name dir="auto">{option.name}</Name>
          </Option>
        ))}
      </List>
    </FloatingSurface>
  );
}

const List = styled.div`
  max-height: min(320px, 40dvh);
  overflow: auto;
  overscroll-behavior: contain;
`;

const Option = styled.div`
  ${rowStyles}
`;

const Name = styled.span`
  ${ellipsis}
  min-width: 0;
`;
