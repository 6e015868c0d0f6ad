import { matchesSearch } from '@atrium/proto-events/text/search';
import { X } from 'lucide-react';
import { type Ref, useId, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { styled } from 'styled-components';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { labelStyles, RequiredMark } from '#ui/fields/field.tsx';
import { NoOptions, OptionList, OptionRow } from '#ui/fields/option.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { Inline, Stack, Text } from '#ui/layout/primitives.ts';
import { focusRing, iconSize } from '#ui/mixins.ts';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { Avatar } from './avatar.tsx';
import { displayName, type PersonLike, roleAndDepartment } from './person.ts';
import { toRetryableFailure, usePeople, usePeopleByIds } from './use-people.ts';

type Props = Omit<PeoplePickerProps, 'people' | 'onSearch' | 'failure'> & {
  /** Ids that cannot be selected, such as the current user's. */
  excludedIds?: readonly string[];
};

/** Ids per request. */
const MAX_IDS = 100;

/** Offers the active users that the server finds. Selected users keep their names when the results change. */
export function PeopleField({ excludedIds = [], knownPeople = [], ...picker }: Props) {
  const [search, setSearch] = useState('');
  const [seenPeople, setSeenPeople] = useState(() => byId(knownPeople));
  const query = usePeople(useDebounced(search));
  // A restored form may contain users that no loaded list includes.
  const unknownIds = picker.value.filter((id) => !seenPeople.has(id));
  const lookup = usePeopleByIds(unknownIds.slice(0, MAX_IDS));
  const results = query.data?.data ?? [];
  const loadedUsers = [...knownPeople, ...results, ...(lookup.data?.data ?? [])].filter(
    ({ _id }) => !seenPeople.has(_id),
  );
  if (loadedUsers.length > 0) setSeenPeople(new Map([...seenPeople, ...byId(loadedUsers)]));
  return (
    <PeoplePicker
      {...picker}
      people={query.data && results.filter(({ _id }) => !excludedIds.includes(_id))}
      knownPeople={[...seenPeople.values()]}
      onSearch={setSearch}
      failure={toRetryableFailure(query)}
    />
  );
}

const byId = (people: readonly Pickable[]): ReadonlyMap<string, Pickable> =>
  new Map(people.map((person) => [person._id, person]));

export type Pickable = PersonLike & { role?: string | undefined; department?: { name: string } | null | undefined };

type PeoplePickerProps = {
  label: string;
  /** Undefined while loading. */
  people: readonly Pickable[] | undefined;
  value: readonly string[];
  onChange: (ids: string[], people: Pickable[]) => void;
  /** Users that may be selected without being in `people`. */
  knownPeople?: readonly Pickable[];
  error?: string | undefined;
  description?: string | undefined;
  isRequired?: boolean;
  /** `single` replaces the selection with each press. */
  mode?: 'single' | 'multiple';
  /** Loading failed; a retry is offered instead of the list. */
  failure?: { onRetry: () => void; isRetrying: boolean } | undefined;
  /** If given, the server searches and `people` is its response. */
  onSearch?: (query: string) => void;
  ref?: Ref<HTMLInputElement>;
};

/** A searchable user list with checkboxes, and chips for the selection. In single mode, a press selects. */
export function PeoplePicker(props: PeoplePickerProps) {
  const { label, people, value, onChange, error, description, isRequired = false, mode = 'multiple', onSearch } = props;
  const { failure } = props;
  const [query, setQuery] = useState('');
  const hintId = useId();
  const hint = error ?? description;
  const peopleById = new Map([...(props.knownPeople ?? []), ...(people ?? [])].map((person) => [person._id, person]));
  const findPeople = (ids: readonly string[]) => ids.flatMap((id) => peopleById.get(id) ?? []);
  const results = onSearch
    ? withSelected(people ?? [], findPeople(value))
    : (people ?? []).filter((person) => matches(person, query));
  const change = (ids: string[]) => onChange(ids, findPeople(ids));
  const search = (next: string) => {
    setQuery(next);
    onSearch?.(next);
  };
  return (
    <Stack $gap="6px" role="group" aria-label={label} aria-describedby={hint ? hintId : undefined}>
      <Inline $justify="space-between">
        <Name aria-hidden="true">
          {label}
          <RequiredMark isRequired={isRequired} />
        </Name>
        {mode === 'multiple' && (
          <Text $size="sm" $tone="text2" $tabular>
            {value.length} selected
          </Text>
        )}
      </Inline>
      {mode === 'multiple' && value.length > 0 && (
        <Inline $gap="6px" $wraps>
          {value.map((id) => (
            <Chip
              key={id}
              aria-label={`Remove ${displayName(peopleById.get(id))}`}
              onPress={() => change(value.filter((selected) => selected !== id))}
            >
              <bdi>{displayName(peopleById.get(id))}</bdi>
              <X aria-hidden="true" />
            </Chip>
          ))}
        </Inline>
      )}
      <Frame $invalid={Boolean(error)}>
        <SearchField label="Search people" value={query} onChange={search} ref={props.ref ?? null} />
        {failure ? (
          <ErrorState title="Failed to load team members" {...failure} />
        ) : people ? (
          <Virtualizer layout={ListLayout} layoutOptions={LAYOUT} shouldObserveItemSize>
            <OptionList
              aria-label={label}
              selectionMode={mode}
              selectionBehavior="toggle"
              selectedKeys={value}
              onSelectionChange={(keys) => {
                // Ctrl+A would select all loaded users.
                if (keys !== 'all') change(mergeSelection(keys, mode === 'multiple' ? value : [], results));
              }}
              renderEmptyState={() => <NoOptions>No one found</NoOptions>}
            >
              {results.map((person) => (
                <OptionRow key={person._id} option={toOption(person)} />
              ))}
            </OptionList>
          </Virtualizer>
        ) : (
          <SkeletonRows count={3} />
        )}
      </Frame>
      {hint && (
        <Text $size="sm" id={hintId} $tone={error ? 'danger' : 'text2'}>
          {hint}
        </Text>
      )}
    </Stack>
  );
}

/** Initial estimate for two lines; rows are measured when rendered. */
const LAYOUT = { estimatedRowSize: 50 };

const matches = (person: Pickable, query: string) =>
  matchesSearch(`${displayName(person)} ${person.email ?? ''}`, query);

/** Keeps selected users in the list when the search results change. */
function withSelected(results: readonly Pickable[], selectedPeople: readonly Pickable[]): Pickable[] {
  const resultIds = new Set(results.map((person) => person._id));
  return [...selectedPeople.filter(({ _id }) => !resultIds.has(_id)), ...results];
}

/** Selected users that the search hides stay selected. */
function mergeSelection(
  keys: Set<string | number>,
  previousIds: readonly string[],
  visiblePeople: readonly Pickable[],
): string[] {
  const ids = [...keys].map(String);
  const hidden = previousIds.filter((id) => !visiblePeople.some((person) => person._id === id));
  return [...new Set([...hidden, ...ids])];
}

function toOption(person: Pickable) {
  return {
    value: person._id,
    label: displayName(person),
    description: roleAndDepartment(person) || person.email,
    lead: <Avatar person={person} size={28} />,
  };
}

const Name = styled.span<{ $hidden?: boolean }>`
  ${labelStyles}
`;

const Chip = styled(Button)`
  display: inline-flex;
  align-items: center;
  gap: 6px;
  height: 26px;
  padding: 0 8px 0 10px;
  border: 0;
  border-radius: ${theme.radius.full};
  background: ${theme.color.accentSoft};
  color: ${theme.color.accent};
  font: 500 ${theme.text.sm};
  cursor: pointer;
  ${focusRing}
  ${iconSize(14)}
  ${theme.media.small} {
    height: 36px;
  }
`;

const Frame = styled.div<{ $invalid: boolean }>`
  border: 1px solid ${({ $invalid }) => ($invalid ? theme.color.danger : theme.color.line)};
  border-radius: ${theme.radius.lg};
  padding: ${theme.space[1]};
  > [role='listbox'] {
    max-height: 224px;
    margin-top: ${theme.space[1]};
  }
  /* The ring is inset, because virtualized rows are clipped at their edge. */
  [role='option']:focus-visible {
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
  }
  input {
    box-shadow: none;
  }
`;
