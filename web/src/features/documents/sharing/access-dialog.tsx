import type { AccessReason } from '@atrium/proto-events/http/document-access';
import type { Document } from '@atrium/proto-events/http/documents';
import { isolate } from '@atrium/proto-events/text/isolate';
import { useRef, useState } from 'react';
import { useDocumentAccess } from '#entities/document/use-document-access.ts';
import { useProject } from '#entities/project/use-projects.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { UsersField } from '#entities/user/users-field.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Stack, Text } from '#ui/layout/primitives.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { ShareList, useEndShare } from './share-list.tsx';

type Props = { document: Document; onClose: () => void };

export function AccessDialog({ document, onClose }: Props) {
  const currentUserId = useCurrentUser()._id;
  const canCheckOthers = document.abilities.update;
  const [chosen, setChosen] = useState<string[]>([]);
  const [userId = canCheckOthers ? null : currentUserId] = chosen;
  const body = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      onClose={onClose}
      title={canCheckOthers ? 'Why can someone see this?' : 'Why can I see this?'}
      description={document.name}
    >
      <DialogBody ref={body} tabIndex={-1}>
        {canCheckOthers && <UsersField label="Person" mode="single" value={chosen} onChange={setChosen} />}
        {userId !== null && (
          <Reasons key={userId} id={document._id} userId={userId} onEnd={() => body.current?.focus()} />
        )}
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}

function Reasons({ id, userId, onEnd }: { id: string; userId: string; onEnd: () => void }) {
  const access = useDocumentAccess(id, userId);
  const { end, failure } = useEndShare(id, onEnd);
  const isOneself = useCurrentUser()._id === userId;
  return (
    <AsyncContent query={access} failure="Failed to load access" skeletons={<SkeletonRows count={2} />}>
      {({ user, canOpen, reasons }) => {
        const shares = reasons.flatMap(({ share }) => share ?? []);
        const otherReasons = reasons.filter(({ share }) => !share);
        const canRevoke = reasons.some((reason) => reason.canRemove);
        return (
          <>
            <Text as="p" $size="md" $weight={500} role="status">
              {verdictText(isOneself ? null : isolate(displayName(user)), canOpen)}
            </Text>
            {otherReasons.length > 0 && (
              <Stack as="ul" $gap={1} $tone="text2" aria-label="Reasons">
                {otherReasons.map((reason) => (
                  <li key={reason.kind}>
                    <Reason reason={reason} />
                  </li>
                ))}
              </Stack>
            )}
            {shares.length > 0 && (
              <ShareList label="Shared through" shares={shares} onEnd={canRevoke ? end : undefined} failure={failure} />
            )}
          </>
        );
      }}
    </AsyncContent>
  );
}

function verdictText(name: string | null, canOpen: boolean): string {
  if (name === null) return canOpen ? 'You can open this document.' : 'You cannot open this document.';
  return canOpen ? `${name} can open this document.` : `${name} cannot open this document.`;
}

function Reason({ reason: { kind, project } }: { reason: AccessReason }) {
  if (kind === 'team' && project !== undefined)
    return (
      <>
        It is visible to members of <ProjectName id={project} />.
      </>
    );
  return REASON_TEXTS[kind];
}

const REASON_TEXTS: Record<AccessReason['kind'], string> = {
  administrator: 'Administrators can see every document.',
  uploader: 'Uploaders can see their own documents.',
  public: 'It is public, so everyone who is signed in can see it.',
  workspace: 'It is visible to the team and has no project, so everyone who is signed in can see it.',
  team: 'It is visible to members of its project.',
  shared: 'It is shared.',
};

function ProjectName({ id }: { id: string }) {
  const { data, error } = useProject(id);
  if (data) return isolate(data.name);
  return error?.status === 404 ? 'a deleted project' : 'a project';
}
