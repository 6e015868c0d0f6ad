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
import { toRetryableFailure, useUsers, useUsersByIds } from './use-users.ts';
import { displayName, type NamedUser, roleAndDepartment } from './user-labels.ts';

type Props = Omit<UserPickerProps, 'users' | 'onSearch' | 'failure'> & {
  /** Ids that cannot be selected, such as the current user's. */
  excludedIds?: readonly string[];
};

/** Ids per request. */
const MAX_IDS = 100;

/** Offers the active users that the server finds. Selected users keep their names when the results change. */
export function UsersField({ excludedIds = [], knownUsers = [], ...picker }: Props) {
  const [search, setSearch] = useState('');
  const [seenUsers, setSeenUsers] = useState(() => byId(knownUsers));
  const query = useUsers(useDebounced(search));
  // A restored form may contain users that no loaded list includes.
  const unknownIds = picker.value.filter((id) => !seenUsers.has(id));
  const lookup = useUsersByIds(unknownIds.slice(0, MAX_IDS));
  const results = query.data?.data ?? [];
  const loadedUsers = [...knownUsers, ...results, ...(lookup.data?.data ?? [])].filter(
    ({ _id }) => !seenUsers.has(_id),
  );
  if (loadedUsers.length > 0) setSeenUsers(new Map([...seenUsers, ...byId(loadedUsers)]));
  return (
    <UserPicker
      {...picker}
      users={query.data && results.filter(({ _id }) => !excludedIds.includes(_id))}
      knownUsers={[...seenUsers.values()]}
      onSearch={setSearch}
      failure={toRetryableFailure(query)}
    />
  );
}

const byId = (users: readonly Pickable[]): ReadonlyMap<string, Pickable> =>
  new Map(users.map((user) => [user._id, user]));

export type Pickable = NamedUser & { role?: string | undefined; department?: { name: string } | null | undefined };

type UserPickerProps = {
  label: string;
  /** Undefined while loading. */
  users: readonly Pickable[] | undefined;
  value: readonly string[];
  onChange: (ids: string[], users: Pickable[]) => void;
  /** Users that may be selected without being in `users`. */
  knownUsers?: readonly Pickable[];
  error?: string | undefined;
  description?: string | undefined;
  isRequired?: boolean;
  /** `single` replaces the selection with each press. */
  mode?: 'single' | 'multiple';
  /** Loading failed; a retry is offered instead of the list. */
  failure?: { onRetry: () => void; isRetrying: boolean } | undefined;
  /** If given, the server searches and `users` is its response. */
  onSearch?: (query: string) => void;
  ref?: Ref<HTMLInputElement>;
};

/** A searchable user list with checkboxes, and chips for the selection. In single mode, a press selects. */
export function UserPicker(props: UserPickerProps) {
  const { label, users, value, onChange, error, description, isRequired = false, mode = 'multiple', onSearch } = props;
  const { failure } = props;
  const [query, setQuery] = useState('');
  const hintId = useId();
  const hint = error ?? description;
  const usersById = new Map([...(props.knownUsers ?? []), ...(users ?? [])].map((user) => [user._id, user]));
  const findUsers = (ids: readonly string[]) => ids.flatMap((id) => usersById.get(id) ?? []);
  const results = onSearch
    ? withSelected(users ?? [], findUsers(value))
    : (users ?? []).filter((user) => matches(user, query));
  const change = (ids: string[]) => onChange(ids, findUsers(ids));
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
              aria-label={`Remove ${displayName(usersById.get(id))}`}
              onPress={() => change(value.filter((selected) => selected !== id))}
            >
              <bdi>{displayName(usersById.get(id))}</bdi>
              <X aria-hidden="true" />
            </Chip>
          ))}
        </Inline>
      )}
      <Frame $invalid={Boolean(error)}>
        <SearchField label="Search people" value={query} onChange={search} ref={props.ref ?? null} />
        {failure ? (
          <ErrorState title="Failed to load team members" {...failure} />
        ) : users ? (
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
              {results.map((user) => (
                <OptionRow key={user._id} option={toOption(user)} />
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

const matches = (user: Pickable, query: string) => matchesSearch(`${displayName(user)} ${user.email ?? ''}`, query);

/** Keeps selected users in the list when the search results change. */
function withSelected(results: readonly Pickable[], selectedUsers: readonly Pickable[]): Pickable[] {
  const resultIds = new Set(results.map((user) => user._id));
  return [...selectedUsers.filter(({ _id }) => !resultIds.has(_id)), ...results];
}

/** Selected users that the search hides stay selected. */
function mergeSelection(
  keys: Set<string | number>,
  previousIds: readonly string[],
  visibleUsers: readonly Pickable[],
): string[] {
  const ids = [...keys].map(String);
  const hidden = previousIds.filter((id) => !visibleUsers.some((user) => user._id === id));
  return [...new Set([...hidden, ...ids])];
}

function toOption(user: Pickable) {
  return {
    value: user._id,
    label: displayName(user),
    description: roleAndDepartment(user) || user.email,
    leading: <Avatar user={user} size={28} />,
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
