import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { theme } from '#ui/theme.ts';
import { QuickAdd } from './quick-add/quick-add.tsx';
import { MentionsAndThreads } from './sections/mentions-and-threads.tsx';
import { SharedDocuments } from './sections/shared-documents.tsx';
import { TodaysMeetings } from './sections/todays-meetings.tsx';
import { WaitingFor } from './sections/waiting-for.tsx';
import { MyTasks } from './tasks/my-tasks.tsx';
import { useTaskChanges } from './tasks/use-task-changes.ts';

/** `?add=1` starts a new task. */
const NOT_ADDING = { add: '' };

/** Each section loads on its own, and shows its own failure. */
export function MyWork() {
  const field = useRef<HTMLInputElement>(null);
  const changes = useTaskChanges();
  const [{ add }, setUrlState] = useUrlState(NOT_ADDING);
  useEffect(() => {
    if (add === '') return;
    field.current?.focus();
    setUrlState(NOT_ADDING);
  }, [add, setUrlState]);
  return (
    <>
      <QuickAdd field={field} onAdded={changes.offerRemoval} onUndo={changes.undo} />
      <Sections>
        <MyTasks changes={changes} onQuickAdd={() => field.current?.focus()} />
        <TodaysMeetings />
        <MentionsAndThreads />
        <WaitingFor />
        <SharedDocuments />
      </Sections>
    </>
  );
}

/* The tasks are next to all other sections, of which the last takes the remaining height. */
const Sections = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1.6fr) minmax(320px, 1fr);
  grid-template-rows: auto auto auto 1fr;
  gap: ${theme.space[5]} ${theme.space[6]};
  align-items: start;
  > :first-child {
    grid-row: 1 / span 4;
  }
  ${theme.media.compact} {
    display: grid;
    grid-template: none / minmax(0, 1fr);
    gap: ${theme.space[4]};
    > :first-child {
      grid-row: auto;
    }
  }
  @media print {
    display: block;
    > * + * {
      margin-top: ${theme.space[5]};
    }
  }
`;
