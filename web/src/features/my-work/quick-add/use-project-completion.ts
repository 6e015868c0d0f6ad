import {
  type ChangeEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { hasModifier } from '#lib/has-modifier.ts';
import { filterProjects, type NamedProject } from './find-project.ts';

type Params = {
  field: RefObject<HTMLInputElement | null>;
  line: string;
  projects: readonly NamedProject[];
  onLine: (line: string) => void;
};

/** The project name that is being typed, from its sign to the caret or the end of the selection. */
type Trigger = { query: string; from: number; to: number };

const TYPED_PROJECT = /(?:^|\s)#([^#\n]{0,60})$/;
const MAX_OPTIONS = 8;

function findTrigger(line: string, caret: number, selectionEnd: number): Trigger | undefined {
  const query = TYPED_PROJECT.exec(line.slice(0, caret))?.[1];
  if (query === undefined || /\s$/.test(query)) return undefined;
  return { query, from: caret - query.length - 1, to: selectionEnd };
}

export type ProjectCompletion = ReturnType<typeof useProjectCompletion>;

/** Completes the name of a project after `#`. Focus stays in the field (ARIA: combobox with a list box). */
export function useProjectCompletion({ field, line, projects, onLine }: Params) {
  const listId = useId();
  /** Null until something is typed. */
  const [selection, setSelection] = useState<readonly [start: number, end: number] | null>(null);
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  const [choice, setChoice] = useState({ query: '', index: 0 });
  const nextSelection = useRef<readonly [number, number]>(undefined);
  const trigger = selection === null ? undefined : findTrigger(line, ...selection);
  const isOpen = trigger !== undefined && trigger.from !== dismissedAt;
  const options = isOpen ? findOptions(trigger.query, projects) : [];
  const index = trigger?.query === choice.query ? Math.min(choice.index, options.length - 1) : 0;
  const active = options[index];
  useLayoutEffect(() => {
    if (!nextSelection.current) return;
    field.current?.setSelectionRange(...nextSelection.current);
    nextSelection.current = undefined;
  });
  const write = (next: string, position: number, selectedTo = position) => {
    nextSelection.current = [position, selectedTo];
    setSelection([position, selectedTo]);
    onLine(next);
  };
  const choose = ({ name }: NamedProject) => {
    if (!trigger) return;
    const inserted = `#${name} `;
    write(line.slice(0, trigger.from) + inserted + line.slice(trigger.to).trimStart(), trigger.from + inserted.length);
  };
  const close = () => setDismissedAt(trigger?.from ?? null);
  const moveTo = (next: number) =>
    setChoice({ query: trigger?.query ?? '', index: (next + options.length) % options.length });
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => moveTo(index + 1),
    ArrowUp: () => moveTo(index - 1),
    Enter: () => active && choose(active),
    Tab: () => active && choose(active),
    Escape: close,
  };
  const optionId = ({ _id }: NamedProject) => `${listId}-${_id}`;
  return {
    listId,
    optionId,
    options,
    active,
    choose,
    close,
    activate: moveTo,
    /** Selects the name of an unknown project, or else types the sign of one at the end. */
    start(unknown?: string) {
      field.current?.focus();
      setDismissedAt(null);
      const from = unknown === undefined ? -1 : line.lastIndexOf(unknown);
      const text = from < 0 ? `${line.trimEnd()} #` : line;
      const name = from < 0 ? text.length : from + 1;
      write(text, name, from < 0 ? name : from + (unknown?.length ?? 0));
    },
    /** Returns whether the list has handled the key. */
    handleKey(event: KeyboardEvent): boolean {
      const handle = keys[event.key];
      if (!active || !handle || event.shiftKey || hasModifier(event)) return false;
      handle();
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    fieldProps: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-expanded': active !== undefined,
      'aria-controls': active && listId,
      'aria-activedescendant': active && optionId(active),
      onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
        setSelection(selectionOf(currentTarget));
        setDismissedAt(null);
        onLine(currentTarget.value);
      },
      onSelect({ currentTarget }: SyntheticEvent<HTMLInputElement>) {
        if (selection !== null) setSelection(selectionOf(currentTarget));
      },
      onBlur: () => setSelection(null),
    } as const,
  };
}

const selectionOf = ({ selectionStart, selectionEnd }: HTMLInputElement) =>
  selectionStart === null ? null : ([selectionStart, selectionEnd ?? selectionStart] as const);

/** After the sign alone, the latest projects. A name that is complete needs no list. */
function findOptions(query: string, projects: readonly NamedProject[]): readonly NamedProject[] {
  const found = query === '' ? projects : filterProjects(query, projects);
  const isComplete = found.length === 1 && found[0]?.name.toLowerCase() === query.toLowerCase();
  return isComplete ? [] : found.slice(0, MAX_OPTIONS);
}
