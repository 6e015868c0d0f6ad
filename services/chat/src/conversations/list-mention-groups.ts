import { MAX_MENTION_GROUPS, type MentionGroup } from '@atrium/proto-events/http/chat/channels';
import { createMatcher } from '@atrium/proto-events/text/search';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { countParticipantsOf, findReadState } from '../model/conversations/participant-repository.ts';

type ListMentionGroupsQuery = { id: string; search: string };

/** Those with participants of the conversation, by name. */
export async function listMentionGroups(deps: Deps, caller: Caller, { id, search }: ListMentionGroupsQuery) {
  if (!(await findReadState(deps.db, id, caller.userId))) throw notFound('Conversation');
  const groups = listGroups(deps, search).toSorted(
    (a, b) => a.name.localeCompare(b.name) || a._id.localeCompare(b._id),
  );
  const groupIds = groups.map(({ _id }) => _id);
  const counts = await countParticipantsOf(deps.db, id, { groupIds, limit: MAX_MENTION_GROUPS });
  return {
    data: groups.flatMap((group): MentionGroup[] => {
      const participantCount = counts.get(group._id);
      return participantCount === undefined ? [] : [{ ...group, participantCount }];
    }),
  };
}

function listGroups({ directory, projects }: Pick<Deps, 'directory' | 'projects'>, search: string) {
  const matches = createMatcher(search);
  const departments = [...directory.departments()].filter(({ isActive, name }) => isActive && matches(name));
  const active = [...projects.projects()].filter(({ deleted, name }) => !deleted && matches(name));
  return [
    ...departments.map(({ _id, name }) => ({ type: 'department' as const, _id, name })),
    ...active.map(({ _id, name }) => ({ type: 'project' as const, _id, name })),
  ];
}
