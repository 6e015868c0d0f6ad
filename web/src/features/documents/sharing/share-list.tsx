import type { DocumentShare, unshareDocument } from '@atrium/proto-events/http/document-access';
import type { Document } from '@atrium/proto-events/http/documents';
import { isolate } from '@atrium/proto-events/text/isolate';
import { Building2, FolderKanban, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import type { Grantees } from '#entities/document/use-document-access.ts';
import { useProject } from '#entities/project/use-projects.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { call } from '#lib/api/api.ts';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import { useWrite } from '#realtime/use-write.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { Box, Caption, PartHeading, Text } from '#ui/layout/primitives.ts';
import { inlineStyles } from '#ui/mixins.ts';
import { FormFailure } from '#ui/notice.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';

type Props = {
  label: string;
  shares: readonly DocumentShare[];
  onEnd: ((share: DocumentShare) => void) | undefined;
  failure?: AnnouncedFailure | undefined;
};

export function ShareList({ label, shares, onEnd, failure }: Props) {
  return (
    <section aria-label={label}>
      <PartHeading>{label}</PartHeading>
      <FormFailure failure={failure} />
      <List>
        {shares.map((share) => (
          <ShareRow key={getGranteeId(share)} share={share} onEnd={onEnd} />
        ))}
      </List>
    </section>
  );
}

/** `onEnd` runs before the share's row is removed. */
export function useEndShare(id: string, onEnd: () => void) {
  const write = useWrite<Document>('document');
  const { run, failure } = useAction(async (_key: string, grantee: Grantees) => {
    onEnd();
    await call<typeof unshareDocument>('DELETE /documents/:id/share', { params: { id }, body: grantee });
    write.changed(id, (document) => withoutGrantees(document, grantee));
    write.refetch('/documents');
  }, 'Failed to stop sharing');
  const end = (share: DocumentShare) => void run(getGranteeId(share), toGrantees(share));
  return { end, failure };
}

/** Increments the version as the server does, so that the cached copy is not edited at the previous version. */
function withoutGrantees(
  document: Document,
  { userIds = [], departmentIds = [], projectIds = [] }: Grantees,
): Document {
  const { sharedWith, sharedWithDepartments = [], sharedWithProjects = [], sharedWithCount, version } = document;
  const users = sharedWith.filter(({ _id }) => !userIds.includes(_id));
  const departments = sharedWithDepartments.filter(({ _id }) => !departmentIds.includes(_id));
  const projects = sharedWithProjects.filter((id) => !projectIds.includes(id));
  const removedUsers = sharedWith.length - users.length;
  const isUnchanged =
    removedUsers === 0 &&
    departments.length === sharedWithDepartments.length &&
    projects.length === sharedWithProjects.length;
  if (isUnchanged) return document;
  return {
    ...document,
    sharedWith: users,
    sharedWithDepartments: departments,
    sharedWithProjects: projects,
    sharedWithCount: sharedWithCount - removedUsers,
    version: version + 1,
  };
}

const getGranteeId = ({ user, department, project }: DocumentShare) => user?._id ?? department?._id ?? project ?? '';

function toGrantees({ user, department, project }: DocumentShare): Grantees {
  return {
    ...(user && { userIds: [user._id] }),
    ...(department && { departmentIds: [department._id] }),
    ...(project !== undefined && { projectIds: [project] }),
  };
}

function ShareRow({ share, onEnd }: { share: DocumentShare; onEnd: Props['onEnd'] }) {
  const { name, mark, audience } = useGrantee(share);
  return (
    <li>
      {mark}
      <Box $flex="fill">
        <Text as="p" $clamp={1} title={name} dir="auto">
          {name}
        </Text>
        <Caption $breaks>
          {[...audience, `by ${isolate(displayName(share.sharedBy))}`].join(' · ')} ·{' '}
          <RelativeTime time={share.sharedAt} />
        </Caption>
      </Box>
      {onEnd && (
        <IconButton label={`Stop sharing with ${name}`} onPress={() => onEnd(share)}>
          <X />
        </IconButton>
      )}
    </li>
  );
}

/** A share contains only the id of a project, so its name is fetched. */
function useGrantee({ user, department, project }: DocumentShare): {
  name: string;
  mark: ReactNode;
  audience: string[];
} {
  const { data, error } = useProject(project ?? null);
  if (user) return { name: displayName(user), mark: <Avatar user={user} size={28} />, audience: [] };
  if (department) {
    return { name: department.name, mark: mark(<Building2 />), audience: ['everyone in the department'] };
  }
  const name = data?.name ?? (error?.status === 404 ? 'A deleted project' : 'A project');
  return { name, mark: mark(<FolderKanban />), audience: ['everyone on the project'] };
}

const mark = (icon: ReactNode) => (
  <IconTile $size={28} aria-hidden="true">
    {icon}
  </IconTile>
);

const List = styled.ul`
  max-height: 200px;
  overflow-y: auto;
  > li {
    ${inlineStyles(3)}
    min-height: 44px;
  }
`;
